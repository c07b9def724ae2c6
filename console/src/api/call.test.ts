import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QueryClient } from '@tanstack/react-query'
import { login } from '@watchdesk/contract/auth/session'
import type { Endpoint } from '@watchdesk/contract/endpoint'
import { vectorizationStatus, vectorizeNarrative } from '@watchdesk/contract/narratives-vectorization'
import { importStories } from '@watchdesk/contract/stories-import'
import { deleteUser, listUsers, updateUser } from '@watchdesk/contract/users'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

type Seen = { method?: string; url?: string; headers: IncomingHttpHeaders; body: string }

let seen: Seen
const received: string[] = []
let nextResponse: { status: number; body?: string } | 'never'
let token: string | null
let api: typeof import('./call.ts')

const backend = createServer((request, response) => {
  // A caller that aborts in the middle of its request expects no response.
  respond(request, response).catch((error) => response.destroy(error))
})

async function respond(request: IncomingMessage, response: ServerResponse) {
  const { method, url, headers } = request
  received.push(url ?? '')
  seen = { method, url, headers, body: (await request.toArray()).join('') }
  if (nextResponse === 'never') return
  response.writeHead(nextResponse.status).end(nextResponse.body)
}

beforeAll(async () => {
  await once(backend.listen(0, '127.0.0.1'), 'listening')
  vi.stubGlobal('localStorage', { getItem: () => token })
  vi.stubEnv('VITE_API_URL', `http://127.0.0.1:${(backend.address() as AddressInfo).port}`)
  // It reads the address once.
  vi.resetModules()
  api = await import('./call.ts')
})

afterAll(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  backend.closeAllConnections()
  backend.close()
})

beforeEach(() => {
  nextResponse = { status: 200, body: '{}' }
  token = 'secret'
})

test('params are encoded, lists are comma-separated, and empty values are left out', async () => {
  await api.call(vectorizationStatus, { params: { execution_date: '2026-11-15T09:30:00+02:00/..' } })
  expect(seen.url).toBe('/api/v1/airflow/vectorize-narrative/2026-11-15T09%3A30%3A00%2B02%3A00%2F..')
  await api.call(listUsers, { query: { page: 2, workspace_ids: [1, 2], search: 'a&b', sort: undefined } })
  expect(Object.fromEntries(new URL(seen.url ?? '', 'http://x').searchParams)).toEqual({
    page: '2',
    workspace_ids: '1,2',
    search: 'a&b',
  })
  await api.call(listUsers, { query: { workspace_ids: [], search: '' } })
  expect(seen.url).toBe('/api/v1/users/')
})

test('every call but login carries the token', async () => {
  await api.call(listUsers)
  expect(seen.headers.authorization).toBe('Bearer secret')
  await api.call(login, { body: { email: 'a@example.com', password: 'x' } })
  expect(seen.headers.authorization).toBeUndefined()
  token = null
  await api.call(listUsers)
  expect(seen.headers.authorization).toBeUndefined()
})

test('a body is sent as JSON, with the headers that were given', async () => {
  nextResponse = { status: 200, body: '{"id":7}' }
  const user = await api.call(updateUser, { params: { id: 7 }, headers: { 'if-match': '"3"' }, body: { language: '' } })
  expect(user.id).toBe(7)
  expect(seen).toMatchObject({ method: 'PATCH', url: '/api/v1/users/7', body: '{"language":""}' })
  expect(seen.headers).toMatchObject({ 'content-type': 'application/json', 'if-match': '"3"' })
})

test('a JSON blob is sent unchanged', async () => {
  nextResponse = { status: 200, body: '{}' }
  await api.call(updateUser, { params: { id: 7 }, body: new Blob(['{"language":', '"UK"}']) })
  expect(seen.headers['content-type']).toBe('application/json')
  expect(seen.body).toBe('{"language":"UK"}')
})

test('a file is sent as a form', async () => {
  const file = new File(['narrative_id,story'], 'stories.csv')
  await api.call(importStories, { body: { file, delete_existing_stories: 'true' } })
  expect(seen.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(seen.body).toContain('filename="stories.csv"')
  expect(seen.body).toContain('narrative_id,story')
  expect(seen.body).toMatch(/name="delete_existing_stories"\s+true/)
})

test('a backend on another origin gets no idempotency key, which it might not allow', async () => {
  const body = { narrative_id: 7, platforms: [], content_types: [] }
  await api.call(vectorizeNarrative, { body, headers: { 'idempotency-key': 'one-effect' } })
  expect(seen.headers['idempotency-key']).toBeUndefined()
  expect(seen.body).toBe(JSON.stringify(body))
})

test('a 204 response has no result', async () => {
  nextResponse = { status: 204 }
  expect(await api.call(deleteUser, { params: { id: 7 } })).toBeUndefined()
})

test.each([
  [409, '{"detail":"Taken."}', 'Taken.', 'Taken.'],
  [422, '{"detail":[{"msg":"One."},{"msg":"Two."}]}', 'One.\nTwo.', 'One.\nTwo.'],
  [502, '<h1>Bad gateway</h1>', 'Something went wrong', 'The server responded with status 502.'],
  [500, '', 'Something went wrong', 'The server responded with status 500.'],
])('status %d with %s is reported as an error', async (status, body, text, message) => {
  nextResponse = { status, body }
  await expect(api.call(listUsers)).rejects.toMatchObject({ name: 'ApiError', status, text, message })
})

test('a response that is not JSON is an error', async () => {
  nextResponse = { status: 200, body: '<html>' }
  await expect(api.call(listUsers)).rejects.toMatchObject({ status: 0, text: 'Something went wrong' })
})

test('a server that does not respond times out after the time of the endpoint', async () => {
  nextResponse = 'never'
  const impatient = { ...listUsers, config: { ...listUsers.config, timeout_ms: 50 } }
  await expect(api.call(impatient)).rejects.toMatchObject({
    status: 0,
    message: 'The server took too long to respond. Try again.',
  })
})

describe('a call with its own time limit', () => {
  const modules = import.meta.glob<Record<string, unknown>>(['../../../contract/src/**/*.ts', '!**/*.test.ts'], {
    eager: true,
  })
  const endpoints = Object.values(modules).flatMap((module) => Object.values(module).filter(isEndpoint))
  const limited = endpoints.filter(({ config }) => config.timeout_ms !== undefined)

  function isEndpoint(value: unknown): value is Endpoint {
    return typeof value === 'object' && value !== null && 'method' in value && 'url' in value && 'config' in value
  }

  let calls = 0

  /** Calls it like a screen that reads data, and counts the requests that reach the server. */
  async function read(endpoint: Endpoint) {
    const { shouldRetry } = await import('./retry.ts')
    const client = new QueryClient({ defaultOptions: { queries: { retry: shouldRetry, retryDelay: 0 } } })
    // A request that timed out may arrive late: its own address keeps it apart from those of the next call.
    calls += 1
    const { method, config } = endpoint
    const url: Endpoint['url'] = `${endpoint.url}?call=${calls}`
    const untyped = { method, url, config }
    await expect(client.fetchQuery({ queryKey: [url], queryFn: () => api.call(untyped) })).rejects.toMatchObject({
      name: 'ApiError',
    })
    return received.filter((address) => address.endsWith(`?call=${calls}`)).length
  }

  test('includes the six in the specification, and a few of ours', () => {
    expect(limited.length).toBeGreaterThanOrEqual(6)
  })

  test.each(limited.map((endpoint) => [`${endpoint.method} ${endpoint.url}`, endpoint] as const))(
    '%s is sent once, whether the server fails or stays silent',
    async (_, endpoint) => {
      for (const status of [500, 502, 503]) {
        nextResponse = { status }
        expect(await read(endpoint)).toBe(1)
      }
      nextResponse = 'never'
      // On a busy machine it may time out before the server has read anything.
      expect(await read({ ...endpoint, config: { ...endpoint.config, timeout_ms: 50 } })).toBeLessThan(2)
    },
  )

  test('differs from a list, which is retried', async () => {
    nextResponse = { status: 503 }
    expect(await read(listUsers)).toBe(3)
    nextResponse = { status: 404 }
    expect(await read(listUsers)).toBe(1)
  })
})

test('a call aborted by its caller fails with the abort reason', async () => {
  nextResponse = 'never'
  const reason = new Error('left the page')
  await expect(api.call(listUsers, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test('an unreachable server is reported as an error', async () => {
  vi.stubEnv('VITE_API_URL', 'http://127.0.0.1:1')
  vi.resetModules()
  const { call } = await import('./call.ts')
  await expect(call(listUsers)).rejects.toMatchObject({
    status: 0,
    text: 'Something went wrong',
    message: 'The server cannot be reached. Check your connection and try again.',
  })
})
