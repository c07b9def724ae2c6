import { JSON_DEPTH } from '@watchdesk/contract/limits'
import { expect, test } from 'vitest'
import { sendRaw } from '../helpers/raw.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

const watchdesk = useWatchdesk({}, { isListening: true })

test('TRACE does not return the request', async () => {
  const response = await sendRaw(
    watchdesk.port,
    'TRACE /users HTTP/1.1\r\nHost: watchdesk\r\nAuthorization: Bearer canary\r\nConnection: close\r\n\r\n',
  )
  expect(response.status).toBe(404)
  expect(response.body).toBe('{"detail":"Not found."}')
  expect([...response.headers].join()).not.toContain('canary')
})

const SECOND = 'GET /health/live HTTP/1.1\r\nHost: watchdesk\r\nConnection: close\r\n\r\n'

test.each([
  ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
  ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 5']],
  ['two lengths', ['Content-Length: 0', 'Content-Length: 5']],
  ['a length that is no number', ['Content-Length: +5']],
  ['an encoding that hides chunks', ['Transfer-Encoding: chunked, identity']],
])('a request with %s is rejected, and what follows is not read as another request', async (_name, lines) => {
  const head = ['POST /api/v1/login HTTP/1.1', 'Host: watchdesk', 'Content-Type: application/json', ...lines]
  const { status, body } = await sendRaw(watchdesk.port, `${head.join('\r\n')}\r\n\r\n0\r\n\r\n${SECOND}`)
  expect(status).toBe(400)
  expect(body).not.toContain('HTTP/1.1')
})

test('brackets in texts are no nesting', async () => {
  const body = String.raw`{"email":"\"${'['.repeat(JSON_DEPTH + 1)}","password":"\\"}`
  const { status } = await watchdesk.anonymous('POST', '/api/v1/login', body, { 'content-type': 'application/json' })
  expect(status).toBe(422)
})

test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('a body of %s in each other is rejected by its depth, before it is parsed', async (_, open, close) => {
  const bodyOf = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
  const login = (depth: number) =>
    watchdesk.anonymous('POST', '/api/v1/login', bodyOf(depth), { 'content-type': 'application/json' })
  const { status, body } = await login(JSON_DEPTH + 1)
  expect([status, body]).toEqual([400, { detail: `The body is nested more than ${JSON_DEPTH} levels deep.` }])
  expect((await login(JSON_DEPTH)).status).toBe(422)
})
