import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { BOUNDARY, FORM_TYPE, formOf } from '../helpers/form.ts'
import { ADMIN, useWatchdesk } from '../helpers/watchdesk.ts'

/** `npm run crash` uses the default timeouts of the server. */
const SLOW_CLIENT_TIMEOUT_MS = process.env.SLOW_CLIENT_TIMEOUT_MS ?? '1000'
const DRIP_MS = 100
const CLIENTS = 300

const watchdesk = useWatchdesk({ SLOW_CLIENT_TIMEOUT_MS }, { isListening: true })
let sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets = []
})

const head = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: watchdesk', ...headers, '', ''].join('\r\n')
const asAdmin = () => `Authorization: Bearer ${watchdesk.admin.token}`
const json = 'Content-Type: application/json'
const LONG = 'Content-Length: 100000'
const FILE = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n`

/** What each client sends first, and then byte by byte. */
const BEGINNINGS = {
  nothing: () => '',
  'half a head': () => 'GET /api/v1/users/ HTTP/1.1\r\nHost: watchdesk\r\nX-Slow: ',
  'the body of a sign-in': () => `${head('/api/v1/login', json, LONG)}{"email":"`,
  'a body in chunks': () => `${head('/api/v1/login', json, 'Transfer-Encoding: chunked')}fffff\r\n{"email":"`,
  'a body of an import': () => `${head('/api/v1/source_import/sources', json, asAdmin(), LONG)}{"email":"`,
  'a body that was refused': () => `${head('/api/v1/users/', json, LONG)}{"email":"`,
}

/** Imports beyond the limit are rejected before their body is read. */
const STATUSES: Record<string, string> = { 'a body that was refused': '401', 'a body of an import': '(408|503)' }

/** Sends byte by byte until the connection closes, and never closes it itself. */
function drip(beginning: string, isSilent = false) {
  const socket = connect({ port: watchdesk.port, host: '127.0.0.1', allowHalfOpen: !isSilent }).setEncoding('utf8')
  sockets.push(socket)
  let response = ''
  socket.on('data', (chunk) => {
    response += chunk
  })
  socket.on('error', () => {})
  socket.write(beginning)
  const timer = setInterval(() => isSilent || socket.write('x'), DRIP_MS)
  return new Promise<string>((resolve) => {
    socket.once('close', () => {
      clearInterval(timer)
      resolve(response)
    })
  })
}

async function normalCallsUntil(isOver: () => boolean) {
  let count = 0
  for (; !isOver() || count === 0; count += 1) {
    expect((await watchdesk.admin('GET', '/api/v1/users/')).status).toBe(200)
    expect((await watchdesk.anonymous('POST', '/api/v1/login', ADMIN)).status).toBe(200)
    await wait(DRIP_MS)
  }
}

test(`${CLIENTS} clients that send byte by byte are disconnected, while others get a response`, async () => {
  const kinds = Object.entries(BEGINNINGS)
  let isOver = false
  const dropped = Promise.all(
    Array.from({ length: CLIENTS }, async (_, index) => {
      const [kind, beginning] = kinds[index % kinds.length] ?? ['', () => '']
      return [kind, await drip(beginning(), kind === 'nothing')] as const
    }),
  ).finally(() => {
    isOver = true
  })
  await normalCallsUntil(() => isOver)
  for (const [kind, response] of await dropped) {
    expect(response, kind).toMatch(
      new RegExp(`^HTTP/1.1 ${STATUSES[kind] ?? '408'} [^]*\\r\\n\\r\\n\\{"detail":"[^"]+"\\}$`),
    )
  }
})

test('more slow uploads than the limit do not block other uploads for long', async () => {
  const upload = head('/api/v1/stories-import/from-file', `Content-Type: ${FORM_TYPE}`, asAdmin(), LONG) + FILE
  const responses = await Promise.all(Array.from({ length: 20 }, () => drip(upload)))
  const statuses = responses.map((response) => response.split(' ', 2)[1])
  // On a busy machine, some uploads time out before too many have arrived.
  expect(statuses.filter((status) => status === '408').length).toBeGreaterThanOrEqual(
    watchdesk.deps.semaphores.importCalls.limit,
  )
  expect(statuses).toContain('503')
  expect(statuses.filter((status) => status !== '408' && status !== '503')).toEqual([])
  const text = 'narrative_id,message_composite_id,story,sentiment_score\n1,m,Text,0.5\n'
  const response = await fetch(`${watchdesk.url}/api/v1/stories-import/from-file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${watchdesk.admin.token}` },
    body: formOf('a.csv', text),
  })
  expect(response.status).toBe(200)
})

test('a body that arrives slowly but steadily is accepted, however long it takes', async () => {
  const lasts = 2 * Number(SLOW_CLIENT_TIMEOUT_MS)
  const body = JSON.stringify(ADMIN).padEnd(1.5 * lasts)
  const socket = connect({ port: watchdesk.port, host: '127.0.0.1' }).setEncoding('utf8')
  sockets.push(socket)
  socket.write(head('/api/v1/login', json, `Content-Length: ${body.length}`, 'Connection: close'))
  const began = performance.now()
  const sent = () => Math.min(body.length, Math.ceil((body.length * (performance.now() - began)) / lasts))
  let position = 0
  const timer = setInterval(() => {
    const end = sent()
    socket.write(body.slice(position, end))
    position = end
    if (end === body.length) clearInterval(timer)
  }, DRIP_MS)
  const [response] = await once(socket, 'data')
  clearInterval(timer)
  expect(response).toMatch(/^HTTP\/1.1 200 /)
})
