import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startNameServer } from '../../../test/helpers/dns.ts'
import { hostileAddresses } from '../../../test/helpers/hostile-addresses.ts'
import { close, listen } from '../../../test/helpers/loopback.ts'
import { createEmbedLinks } from './embed-links.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

let handler: Handler
let hits = 0
let connections = 0
const server = createServer((request, response) => {
  hits += 1
  handler(request, response)
})
server.on('connection', () => {
  connections += 1
})
const base = await listen(server)
const port = Number(new URL(base).port)

let addresses: Record<string, string[] | undefined> = {}
const names = await startNameServer((name) => (name in addresses ? addresses[name] : []))

beforeEach(() => {
  hits = 0
  connections = 0
  addresses = {}
  names.questions.length = 0
  handler = (_request, response) => response.end('<h1>Report</h1>')
})
afterAll(() => {
  names.stop()
  return close(server)
})

const NONE = { status: null, embedding: null }
const options = { nameservers: [names.address] }
const inside = createEmbedLinks({ LINK_CHECK_PRIVATE: 'on' }, options)
const outside = createEmbedLinks({ LINK_CHECK_PRIVATE: 'off' }, options)
const call = { origin: 'https://desk.example.com', signal: new AbortController().signal }
const check = (link: string, links = inside) => links.check(link, call)

describe('a link', () => {
  test('that works is reachable, with what its headers say about embedding', async () => {
    expect(await check(`${base}/report`)).toEqual({ problem: null, status: 200, embedding: 'allowed' })
    handler = (_request, response) => response.writeHead(200, { 'x-frame-options': 'DENY' }).end()
    expect(await check(base)).toEqual({ problem: null, status: 200, embedding: 'x_frame_options' })
    handler = (_request, response) =>
      response.setHeader('content-security-policy', ["frame-ancestors 'none'", 'img-src *']).end()
    expect(await check(base)).toEqual({ problem: null, status: 200, embedding: 'frame_ancestors' })
  })

  test.each([401, 404, 503])('with status %i says so', async (status) => {
    handler = (_request, response) => response.writeHead(status).end()
    expect(await check(base)).toEqual({ problem: 'status', status, embedding: null })
  })

  test('is followed to where it leads, a few times', async () => {
    addresses = { 'bi.example': ['127.0.0.1'] }
    handler = ({ url }, response) =>
      url === '/end' ? response.end() : response.writeHead(302, { location: `http://bi.example:${port}/end` }).end()
    expect(await check(base)).toMatchObject({ problem: null, status: 200 })
    handler = (_request, response) => response.writeHead(302, { location: '/again' }).end()
    expect(await check(base)).toEqual({ problem: 'redirect', ...NONE })
    expect(hits).toBe(2 + 6)
  })

  test.each(['ftp://bi.example/', 'javascript:alert(1)', 'file:///etc/passwd', 'http://'])(
    'that redirects to %s ends there',
    async (location) => {
      handler = (_request, response) => response.writeHead(302, { location }).end()
      expect(await check(base)).toEqual({ problem: 'redirect', ...NONE })
    },
  )

  test('whose host is unknown, or whose name server fails, says so', async () => {
    expect(await check('https://unknown.example/')).toEqual({ problem: 'host_not_found', ...NONE })
    expect(await check(`https://${'a'.repeat(70)}.example/`)).toEqual({ problem: 'host_not_found', ...NONE })
    const closed = createEmbedLinks({ LINK_CHECK_PRIVATE: 'on' }, { nameservers: ['127.0.0.1:1'] })
    expect((await check('https://bi.example/', closed)).problem).toBe('dns_failed')
  })

  test('that does not answer in time says so, wherever it hangs', async () => {
    addresses = { 'silent.example': undefined }
    handler = () => {}
    const quick = createEmbedLinks({ LINK_CHECK_PRIVATE: 'on' }, { ...options, ms: 100 })
    for (const link of ['http://silent.example/', base])
      expect(await check(link, quick)).toEqual({ problem: 'timeout', ...NONE })
  })

  test('with a broken connection, certificate or response says so', async () => {
    expect(await check(`https://127.0.0.1:${port}/`)).toEqual({ problem: 'tls', ...NONE })
    handler = ({ socket }) => socket.destroy()
    expect(await check(base)).toEqual({ problem: 'connection_failed', ...NONE })
    handler = ({ socket }) => socket.end('HTTP/1.1 nonsense\r\n\r\n')
    expect(await check(base)).toEqual({ problem: 'invalid_response', ...NONE })
    handler = ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)
    expect(await check(base)).toEqual({ problem: 'invalid_response', ...NONE })
    expect(await check('http://127.0.0.1:1/')).toEqual({ problem: 'connection_refused', ...NONE })
  })

  test('whose page never ends is not read', async () => {
    let closed: Promise<unknown> | undefined
    handler = (_request, response) => {
      closed = once(response, 'close')
      response.writeHead(200)
      const write = () => void (response.writable && response.write('x'.repeat(65_536), () => setImmediate(write)))
      write()
    }
    expect(await check(base)).toMatchObject({ problem: null, status: 200 })
    await closed
  })

  test('is not waited for once the caller has left', async () => {
    const controller = new AbortController()
    const reason = new Error('left')
    handler = () => controller.abort(reason)
    await expect(inside.check(base, { ...call, signal: controller.signal })).rejects.toBe(reason)
  })
})

describe('a private address', () => {
  const REFUSED = { problem: 'private_address', ...NONE }

  test.each([
    `http://127.0.0.1:PORT/`,
    'http://localhost:PORT/',
    'http://LOCALHOST.:PORT/',
    'http://any.localhost:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://user:password@127.0.0.1:PORT/',
  ])('as in %s is never connected to', async (link) => {
    expect(await check(link.replace('PORT', String(port)), outside)).toEqual(REFUSED)
    expect(connections).toBe(0)
  })

  test.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['0:0:0:0:0:0:0:1'],
    ['8.8.8.8', '127.0.0.1'],
    ['8.8.8.8', 'fe80:0:0:0:0:0:0:1'],
  ])('that a name resolves to is never connected to (%s)', async (...found) => {
    addresses = { 'metadata.example': found }
    expect(await check(`http://metadata.example:${port}/`, outside)).toEqual(REFUSED)
    expect(connections).toBe(0)
  })

  describe('that is reached in two steps', () => {
    const isPublic = (address: string) => address === '127.0.0.1'
    const links = createEmbedLinks({ LINK_CHECK_PRIVATE: 'off' }, { ...options, isPublic })

    test.each(['http://127.0.0.9/', 'http://inside.example/', '//inside.example/'])(
      'by a redirect to %s is never connected to',
      async (location) => {
        addresses = { 'inside.example': ['127.0.0.9'] }
        handler = (_request, response) => response.writeHead(302, { location }).end()
        expect(await check(base, links)).toEqual(REFUSED)
      },
    )

    test('by a name that resolves to something else the second time is never connected to', async () => {
      const answers = [['127.0.0.1'], ['127.0.0.9']]
      Object.defineProperty(addresses, 'rebinding.example', {
        get: () => answers[names.questions.filter((name) => name === 'rebinding.example').length - 1] ?? answers[1],
      })
      const link = `http://rebinding.example:${port}/`
      expect(await check(link, links)).toMatchObject({ problem: null, status: 200 })
      expect(names.questions).toEqual(['rebinding.example'])
      expect(await check(link, links)).toEqual(REFUSED)
    })
  })

  test('of any known trick leads nowhere', async () => {
    const links = hostileAddresses(port).filter((link) => /^https?:/i.test(link) && URL.canParse(link))
    expect(links.length).toBeGreaterThan(40)
    for (const link of links) expect((await check(link, outside)).problem, link).not.toBeNull()
    expect(connections).toBe(0)
  })
})
