import type { Access, Endpoint } from '@watchdesk/contract/endpoint'
import { createEmbeddings } from '../../src/adapters/embeddings/embeddings.ts'
import { createSheets } from '../../src/adapters/sheets/open.ts'
import { buildApp } from '../../src/app.ts'
import { connect } from '../../src/db/open.ts'
import { readEnv } from '../../src/env.ts'
import { createVectorizing } from '../../src/jobs/vectorize.ts'
import { readCatalog } from '../../src/modules/catalog/catalog.ts'
import { createPasswords } from '../../src/modules/session/passwords.ts'
import type { OpenapiDocument } from '../../src/plugins/reference-page.ts'
import { createSemaphores } from '../../src/semaphore.ts'

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
  const { db, pool } = connect({}, env)
  const catalog = await readCatalog(undefined)
  const semaphores = createSemaphores(env)
  const passwords = createPasswords(env, semaphores)
  const embeddings = createEmbeddings(env)
  const vectorizing = createVectorizing(db, embeddings)
  const sheets = await createSheets(db, env)
  const parts = { env, db, pool, catalog, passwords, semaphores, sheets, embeddings, vectorizing }
  const app = await buildApp({ ...parts, airflow: undefined })
  const document: OpenapiDocument = (await app.inject('/api/openapi.json')).json()
  await app.close()
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
