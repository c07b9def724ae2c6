import type { Access, Endpoint } from '@watchdesk/contract/endpoint'
import { buildApp } from '../../src/app.ts'
import { createDeps } from '../../src/create-deps.ts'
import { connect } from '../../src/db/open.ts'
import { readEnv } from '../../src/env.ts'
import type { OpenapiDocument } from '../../src/plugins/openapi.ts'
import { prepareDeps } from '../../src/prepare-deps.ts'

/** The subset of JSON Schema that our contract generates. */
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
  /** Not a GET, but changes nothing. */
  isRead: boolean
  /** Whether the user has to have signed in recently. */
  needsRecentSignIn: boolean
  /** The status of a successful response. */
  status: number
  parameters: { name: string; in: string; schema: Schema }[]
  /** The schema of the JSON body, if there is one. */
  body?: Schema
  /** The schema of the form with a file. */
  form?: Schema
}

let operations: Promise<Operation[]> | undefined

/** Every operation of the OpenAPI document, which is generated once per process and needs no database connection. */
export function readOperations(): Promise<Operation[]> {
  operations ??= generateOperations()
  return operations
}

async function generateOperations(): Promise<Operation[]> {
  const env = readEnv({ LOG_LEVEL: 'silent' })
  const { deps, close } = await createDeps(await prepareDeps(env), connect({}, env))
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
      isRead: operation['x-read'] === true,
      needsRecentSignIn: operation['x-recent-sign-in'] === true,
      status: Number(Object.keys(operation.responses)[0]),
      parameters: operation.parameters as Operation['parameters'],
      body: operation.requestBody?.content['application/json']?.schema as Schema | undefined,
      form: operation.requestBody?.content['multipart/form-data']?.schema as Schema | undefined,
    })),
  )
}

/** Calls that finish a sign-in need another token: see `test/security/signing-in.test.ts`. */
export function isForSessions({ access }: Operation) {
  return access !== 'signing_in'
}

export function isWrite({ method, isRead }: Operation) {
  return method !== 'GET' && !isRead
}
