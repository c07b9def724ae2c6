import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'
import type { OpenapiDocument } from './openapi.ts'
import { SECURITY_HEADERS } from './security.ts'

const watchdesk = useWatchdesk()

test('the OpenAPI document describes calls with their parameters, body, responses and access', async () => {
  const { body } = await watchdesk.anonymous<OpenapiDocument>('GET', '/api/openapi.json')
  expect(body.openapi).toBe('3.1.0')
  const update = body.paths['/api/v1/users/{id}']?.patch
  expect(update?.summary).toBe('Edit a user')
  expect(update?.security).toEqual([{ token: [] }])
  expect(update?.parameters.map(({ name, in: place }) => `${place} ${name}`)).toEqual(['path id', 'header if-match'])
  expect(JSON.stringify(update?.requestBody)).toContain('first_name')
  expect(Object.keys(update?.responses ?? {})).toEqual(expect.arrayContaining(['200', '401', '404', '412', '422']))
  const read = Object.keys(body.paths['/api/v1/users/{id}']?.get?.responses ?? {})
  expect(read).toEqual(['200', '400', '401', '403', '404', '422', '429', '431', '503'])
  expect(body.paths['/api/v1/audit/{id}/record']?.get?.responses).toHaveProperty('409')
  expect(body.paths['/api/v1/login']?.post?.security).toEqual([])
})

test('the OpenAPI document is compressed once and not sent again to a client that has it', async () => {
  const load = (headers = {}) => watchdesk.app.inject({ url: '/api/openapi.json', headers })
  const { rawPayload: plain, headers } = await load()
  expect(headers).toMatchObject({ ...SECURITY_HEADERS, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  expect(headers).not.toHaveProperty('content-encoding')
  for (const [encoding, decode] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const compressed = await load({ 'accept-encoding': encoding })
    expect(compressed.headers).toMatchObject({ 'content-encoding': encoding, etag: headers.etag })
    expect(compressed.rawPayload.length).toBeLessThan(plain.length / 10)
    expect(decode(compressed.rawPayload).equals(plain)).toBe(true)
  }
  const unchanged = await load({ 'if-none-match': `"other", ${headers.etag}` })
  expect({ status: unchanged.statusCode, body: unchanged.body }).toEqual({ status: 304, body: '' })
  expect((await load({ 'if-none-match': '"other"' })).statusCode).toBe(200)
})

test('the OpenAPI document says which fields exclude or require each other, and what texts look like', async () => {
  const { body } = await watchdesk.anonymous<OpenapiDocument>('GET', '/api/openapi.json')
  const schemaOf = (path: string) => body.paths[path]?.post?.requestBody?.content['application/json']?.schema
  const either = { oneOf: [{ required: ['ids'] }, { required: ['filter'] }] }
  for (const path of ['users/change', 'users/change/preview', 'workspaces/change', 'sources/change'])
    expect(schemaOf(`/api/v1/${path}`), path).toMatchObject(either)
  expect(schemaOf('/api/v1/users/')).toMatchObject({
    properties: {
      first_name: { pattern: expect.any(String) },
      email: { format: 'email', pattern: expect.any(String) },
    },
    oneOf: [{ required: ['password'] }, { required: ['invite'] }],
  })
  expect(schemaOf('/api/v1/workspaces/')).toMatchObject({ if: { required: ['status'] } })
})

test('every call, parameter, response and number of the OpenAPI document is described', async () => {
  const { body } = await watchdesk.anonymous<OpenapiDocument>('GET', '/api/openapi.json')
  const operations = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method} ${path}`, ...operation })),
  )
  expect(operations.length).toBeGreaterThan(40)
  for (const { call, summary, description, parameters, responses } of operations) {
    expect(isText(summary) && isText(description), call).toBe(true)
    for (const { name, description } of parameters) expect(isText(description), `${call} ${name}`).toBe(true)
    for (const [status, { description }] of Object.entries(responses)) {
      expect(isText(description), `${call} ${status}`).toBe(true)
    }
  }
  const undescribed = numbersIn(body).filter(({ schema }) => !isText(schema.description))
  expect(undescribed.map(({ path }) => path)).toEqual([])
})

test('examples in the OpenAPI document are plausible', async () => {
  const { body } = await watchdesk.anonymous<OpenapiDocument>('GET', '/api/openapi.json')
  const numbers = numbersIn(body)
  expect(numbers.length).toBeGreaterThan(100)
  for (const { path, schema } of numbers) {
    const { minimum = Number.NaN, maximum = 0, examples = [] } = schema
    expect(minimum, path).toBeGreaterThanOrEqual(-1)
    expect(maximum, path).toBeLessThan(Number.MAX_SAFE_INTEGER)
    for (const example of examples) expect(example, path).toBeGreaterThanOrEqual(minimum)
  }
})

type NumberSchema = { description?: string; minimum?: number; maximum?: number; examples?: number[] }

function isText(value: unknown) {
  return typeof value === 'string' && value.length > 3
}

/** The schemas of all numeric fields, also in lists and nullable ones; those of parameters are described elsewhere. */
function numbersIn(value: unknown, path = '', described?: string): { path: string; schema: NumberSchema }[] {
  if (typeof value !== 'object' || value === null || path.endsWith('/parameters')) return []
  const own = Object(value)
  const isNumber = own.type === 'integer' || own.type === 'number'
  const description = own.description ?? described
  const inner = Object.entries(value).flatMap(([key, child]) =>
    key === 'examples'
      ? []
      : numbersIn(child, `${path}/${key}`, /^(anyOf|items|\d+)$/.test(key) ? description : undefined),
  )
  return isNumber ? [{ path, schema: { ...own, description } }, ...inner] : inner
}
