import { expect, test } from 'vitest'
import { readOperations } from '../helpers/operations.ts'
import { inTurn } from '../helpers/pair.ts'
import { sendRaw } from '../helpers/raw.ts'
import { detailOf, sweepContentTypes } from './sweeps/content-types.ts'

const operations = await readOperations()

/** One for each way to read a body: as JSON, as a stream, as a form, and not at all. */
const REPRESENTATIVES = [
  'POST /api/v1/workspaces/',
  'POST /api/v1/source_import/sources',
  'PUT /api/v1/sheets/{id}/file',
  'DELETE /api/v1/users/{id}',
]

const server = sweepContentTypes(operations, inTurn(operations, REPRESENTATIVES))

const HEAD = 'Host: watchdesk\r\nConnection: close\r\n'
const LOGIN = `POST /api/v1/login HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`

test.each([
  ['no HTTP at all', 'GARBAGE\r\n\r\n'],
  ['the start of TLS', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 13, 10, 13, 10])],
  ['a version that does not exist', `GET / HTTP/9.9\r\n${HEAD}\r\n`],
  ['a method that does not exist', `STEAL / HTTP/1.1\r\n${HEAD}\r\n`],
  ['no host', 'GET /api/v1/users/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a header without a colon', `GET / HTTP/1.1\r\n${HEAD}broken\r\n\r\n`],
  ['a space before the colon', `GET / HTTP/1.1\r\n${HEAD}X-Trick : 1\r\n\r\n`],
  ['a NUL in a header', `GET / HTTP/1.1\r\n${HEAD}X-Trick: a\0b\r\n\r\n`],
  ['a bare carriage return in a header', `GET / HTTP/1.1\r\n${HEAD}X-Trick: a\rb\r\n\r\n`],
  ['100 KB of headers', `GET / HTTP/1.1\r\n${HEAD}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`],
  ['a length and chunks', `${LOGIN}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['two lengths', `${LOGIN}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['a negative length', `${LOGIN}Content-Length: -1\r\n\r\n{}`],
  ['a length that is no number', `${LOGIN}Content-Length: 0x2\r\n\r\n{}`],
  ['a broken chunk', `${LOGIN}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  ['an unknown transfer coding', `${LOGIN}Transfer-Encoding: gzip\r\n\r\n{}`],
  ['a broken escape in the address', `GET /api/v1/users/%zz HTTP/1.1\r\n${HEAD}\r\n`],
  ['an escape that is not UTF-8', `GET /api/v1/users/%ff HTTP/1.1\r\n${HEAD}\r\n`],
  ['an endless id', `GET /api/v1/users/${'1'.repeat(5000)} HTTP/1.1\r\n${HEAD}\r\n`],
  ['a body of 1 TB announced', `${LOGIN}Content-Length: 1099511627776\r\n\r\n`],
])('a request with %s gets a 4xx with a detail', async (_, bytes) => {
  const response = await sendRaw(server.port, bytes)
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(response.status).toBeLessThan(500)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(detailOf(response)).toBeTruthy()
})

test('a request aborted in the middle of its body gets a 400 with a detail', async () => {
  const response = await sendRaw(server.port, `${LOGIN}Content-Length: 99\r\n\r\n{}`, { hangUp: true })
  expect(response.status).toBe(400)
  expect(detailOf(response)).toBeTruthy()
})

test('the server still responds after all that', async () => {
  const response = await sendRaw(server.port, `GET /health/ready HTTP/1.1\r\n${HEAD}\r\n`)
  expect(response).toMatchObject({ status: 200, body: '{"status":"ok"}' })
})
