import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import type { Endpoint } from '@watchdesk/contract/endpoint'
import { replaceSheet } from '@watchdesk/contract/sheets'
import { importSources } from '@watchdesk/contract/source-import'
import { exportPlatformSources, importPlatformSources } from '@watchdesk/contract/source-management'
import { importStories } from '@watchdesk/contract/stories-import'
import { createUser } from '@watchdesk/contract/users'
import Fastify from 'fastify'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { FORM_TYPE } from '../../test/helpers/form.ts'
import { ADMIN, useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { admitImports } from './imports.ts'

const watchdesk = useWatchdesk({}, { isListening: true })
const IMPORTS: Endpoint[] = [importSources, importPlatformSources, exportPlatformSources, importStories, replaceSheet]
let taken: (() => void)[] = []

afterEach(() => {
  for (const release of taken) release()
  taken = []
})

async function takeAll() {
  const { importCalls } = watchdesk.deps.semaphores
  taken = await Promise.all(Array.from({ length: importCalls.limit - importCalls.active }, () => importCalls.acquire()))
}

/** Sends the head of a call and nothing of its body, and reads the first response. */
function sendHead(
  { method, url, config }: Endpoint,
  headers: string[] = [],
  { token = watchdesk.admin.token, length = 1_000_000 } = {},
) {
  const type = config.content_type ? FORM_TYPE : 'application/json'
  const lines = [
    `${method} ${url.replace(':id', '1')} HTTP/1.1`,
    'Host: watchdesk',
    `Authorization: Bearer ${token}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    ...headers,
  ]
  const socket = connect(watchdesk.port, '127.0.0.1').setEncoding('utf8')
  socket.on('error', () => {})
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return new Promise<string>((resolve) => {
    socket.once('data', (text: string) => {
      socket.destroy()
      resolve(text)
    })
  })
}

test.each(IMPORTS)('$method $url is refused before its body is sent when no slot is free', async (endpoint) => {
  await takeAll()
  for (const headers of [[], ['Expect: 100-continue']]) {
    const response = await sendHead(endpoint, headers)
    expect(response).toMatch(/^HTTP\/1.1 503 /)
    expect(response).toMatch(/\r\nretry-after: 60\r\n/)
    expect(response).toMatch(/"Too many imports and exports are running. Try again in a minute."/)
  }
})

const EXPECT = ['Expect: 100-continue']

test.each(IMPORTS)('$method $url asks for the body of a client that waits, after every check', async (endpoint) => {
  expect(await sendHead(endpoint, EXPECT)).toMatch(/^HTTP\/1.1 100 Continue\r\n/)
  expect(await sendHead(endpoint, EXPECT, { token: 'nobody' })).toMatch(/^HTTP\/1.1 401 /)
  const head = await sendHead({ ...endpoint, config: { ...endpoint.config, content_type: undefined } }, EXPECT)
  if (endpoint.config.content_type) expect(head).toMatch(/^HTTP\/1.1 415 /)
})

test.each([...IMPORTS, createUser])('$method $url never asks for a body that is too large', async (endpoint) => {
  const response = await sendHead(endpoint, EXPECT, { length: 2_000_000_000 })
  expect(response).toMatch(/^HTTP\/1.1 413 /)
  expect(response).toMatch(/"The (body|file) is larger than the limit of [\d,]+ (bytes|MB)\."/)
})

test('imports of every kind share their slots, and what is none needs none', async () => {
  await takeAll()
  const body = { platform: 'VK', type: 'export' }
  expect((await watchdesk.admin('POST', exportPlatformSources.url, body)).status).toBe(503)
  expect((await watchdesk.admin('GET', '/api/v1/users/')).status).toBe(200)
  expect((await watchdesk.anonymous('POST', '/api/v1/login', ADMIN)).status).toBe(200)
  taken.pop()?.()
  expect((await watchdesk.admin('POST', exportPlatformSources.url, body)).status).toBe(200)
  expect(watchdesk.deps.semaphores.importCalls.active).toBe(taken.length)
})

test('a slot is free again after every end of a call', async () => {
  expect((await watchdesk.admin('POST', exportPlatformSources.url, { platform: 'NONE' })).status).toBe(422)
  expect((await watchdesk.admin('POST', importStories.url, 'x', { 'content-type': FORM_TYPE })).status).toBe(400)
  await sendHead(importSources, EXPECT)
  while (watchdesk.deps.semaphores.importCalls.active > 0) await new Promise((resolve) => setTimeout(resolve, 5))
})

test('a call whose client disconnects before it gets a slot leaves none taken', async () => {
  const { importCalls } = watchdesk.deps.semaphores
  const app = Fastify()
  onTestFinished(() => app.close())
  const socket = new Socket()
  app.addHook('onRequest', async (_request, reply) => {
    socket.destroy()
    await once(reply.raw, 'close')
  })
  admitImports(app, watchdesk.deps.semaphores)
  const ended = new Promise<number>((resolve) => {
    app.setErrorHandler(async (_error, _request, reply) => {
      resolve(importCalls.active)
      return reply.send()
    })
    app.post('/', { config: { access: 'public', needs_slot: true } }, async () => resolve(importCalls.active))
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  socket.connect(Number(port), '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: watchdesk\r\nContent-Length: 0\r\n\r\n')
  expect(await ended).toBe(0)
})
