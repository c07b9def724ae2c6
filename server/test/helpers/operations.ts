import type { Access, Endpoint } from '@watchdesk/contract/endpoint'
import { buildApp } from '../../src/app.ts'
import { createDeps } from '../../src/create-deps.ts'
import { connect } from '../../src/db/open.ts'
import { readEnv } from '../../src/env.ts'
import type { OpenapiDocument } from '../../src/plugins/openapi.ts'

/** The part of JSON Schema that our contract comes out as. */
export type Schema = {
  type?: string | string[]
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

export type Operation = {
  /** Method and path, as in `GET /api/v1/users/{id}`. */
  name: string
  method: Endpoint['method']
  path: string
  access: Access
  /** The status of success. */
  status: number
  parameters: { name: string; in: string; schema: Schema }[]
  /** What a JSON body must look like, where the call takes one. */
  body?: Schema
  /** The same of a form with a file. */
  form?: Schema
}

/** Every call of the API, read from its own OpenAPI document. That needs no database, so none is opened. */
export async function readOperations(): Promise<Operation[]> {
  const env = readEnv({ LOG_LEVEL: 'silent' })
  const { deps, close } = await createDeps(env, async () => connect({}, env))
  const app = await buildApp(deps)
  const document: OpenapiDocument = (await app.inject('/api/openapi.json')).json()
  await app.close()
  await close()
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase() as Endpoint['method'],
      path,
      access: operation['x-access'],
      status: Number(Object.keys(operation.responses)[0]),
      parameters: operation.parameters as Operation['parameters'],
      body: operation.requestBody?.content['application/json']?.schema as Schema | undefined,
      form: operation.requestBody?.content['multipart/form-data']?.schema as Schema | undefined,
    })),
  )
}

export function isWrite({ method }: Operation) {
  return method !== 'GET'
}
