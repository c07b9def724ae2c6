import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { App } from '../../src/plugins/contract.ts'
import { ADMIN, useWatchdesk } from '../helpers/watchdesk.ts'

const LIMIT = 5
const METRICS_TOKEN = 'metrics-token-0123456789'

const direct = useWatchdesk({ LOGIN_RATE_LIMIT: String(LIMIT), METRICS_TOKEN })
const proxied = useWatchdesk({ LOGIN_RATE_LIMIT: String(LIMIT), METRICS_TOKEN, TRUST_PROXY: '10.0.0.0/8' })

type Headers = Record<string, string>

/** Headers in which a client can claim another address, a new one for each call. */
const FORGERIES: Record<string, (serial: number) => Headers> = {
  'X-Forwarded-For': (serial) => ({ 'x-forwarded-for': `198.51.100.${serial}` }),
  'a chain in X-Forwarded-For': (serial) => ({ 'x-forwarded-for': `198.51.100.${serial}, 10.0.0.1, 127.0.0.1` }),
  'X-Forwarded-For in IPv6': (serial) => ({ 'x-forwarded-for': `2001:db8:${serial}::1` }),
  Forwarded: (serial) => ({ forwarded: `for=198.51.100.${serial};proto=https` }),
  'X-Real-IP': (serial) => ({ 'x-real-ip': `198.51.100.${serial}` }),
  'CF-Connecting-IP': (serial) => ({
    'cf-connecting-ip': `198.51.100.${serial}`,
    'true-client-ip': `198.51.100.${serial}`,
  }),
  'X-Client-IP': (serial) => ({ 'x-client-ip': `198.51.100.${serial}`, 'x-cluster-client-ip': `198.51.100.${serial}` }),
}

function signIn(app: App, remoteAddress: string, headers: Headers, password = 'wrong password') {
  const payload = { email: `${crypto.randomUUID()}@example.com`, password }
  return app.inject({ method: 'POST', url: '/api/v1/login', remoteAddress, headers, payload })
}

async function statuses(count: number, request: (serial: number) => ReturnType<typeof signIn>) {
  const found = []
  for (let serial = 1; serial <= count; serial += 1) found.push((await request(serial)).statusCode)
  return found
}

const allowed = Array(LIMIT).fill(401)
const limited = [...allowed, 429, 429]

describe('the limit of sign-ins per address', () => {
  test.each(Object.keys(FORGERIES))('is not evaded by %s', async (name) => {
    const remote = `203.0.113.${10 + Object.keys(FORGERIES).indexOf(name)}`
    const forge = (serial: number) => signIn(direct.app, remote, FORGERIES[name]?.(serial) ?? {})
    expect(await statuses(limited.length, forge)).toEqual(limited)
  })

  test('returns 429 with a detail and Retry-After', async () => {
    const remote = '203.0.113.60'
    await statuses(LIMIT, () => signIn(direct.app, remote, {}))
    const response = await signIn(direct.app, remote, {})
    expect(response.statusCode).toBe(429)
    expect(response.json()).toEqual({ detail: expect.stringContaining('Too many sign-ins') })
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  test('counts every address by itself, and a network of IPv6 addresses as one', async () => {
    expect(await statuses(7, (serial) => signIn(direct.app, `203.0.113.${100 + serial}`, {}))).toEqual(
      Array(7).fill(401),
    )
    expect(await statuses(7, (serial) => signIn(direct.app, `2001:db8:9:9::${serial}`, {}))).toEqual(limited)
  })

  test('counts the forwarded address behind a trusted proxy', async () => {
    const through = (client: string) => signIn(proxied.app, '10.0.0.1', { 'x-forwarded-for': client })
    expect(await statuses(7, (serial) => through(`198.51.100.${serial}`))).toEqual(Array(7).fill(401))
    expect(await statuses(7, () => through('198.51.100.50'))).toEqual(limited)
  })

  test('is not evaded behind a trusted proxy by headers of the client', async () => {
    const claim = (serial: number) => ({ 'x-forwarded-for': `198.51.100.${serial}, 203.0.113.61` })
    expect(await statuses(7, (serial) => signIn(proxied.app, '10.0.0.1', claim(serial)))).toEqual(limited)
  })

  test('is not evaded by a client that bypasses the trusted proxy', async () => {
    const forge = (serial: number) => signIn(proxied.app, '203.0.113.62', { 'x-forwarded-for': `198.51.100.${serial}` })
    expect(await statuses(7, forge)).toEqual(limited)
  })

  test.each([
    '',
    ',',
    'unknown',
    '_hidden',
    "'; drop table users",
    '<script>',
    'fe80::1%eth0',
    '::',
    '1.2.3.4:80',
    '999.1.1.1',
    '[::1]:80',
    'x'.repeat(4000),
  ])('survives the forwarded address %j', async (address) => {
    const { statusCode } = await signIn(proxied.app, '10.0.0.2', { 'x-forwarded-for': address })
    expect([401, 429]).toContain(statusCode)
  })
})

test.each([
  { what: 'what a client claims is not put', to: () => direct, remote: '203.0.113.70', recorded: '203.0.113.70' },
  { what: 'what a trusted proxy says is put', to: () => proxied, remote: '10.0.0.3', recorded: '198.51.100.70' },
])('$what on record', async ({ to, remote, recorded }) => {
  const { database, app: server } = to()
  const headers = { 'x-forwarded-for': '198.51.100.70' }
  const response = await server.inject({
    method: 'POST',
    url: '/api/v1/login',
    remoteAddress: remote,
    headers,
    payload: ADMIN,
  })
  expect(response.statusCode).toBe(200)
  const event = await database.db.selectFrom('audit_events').select('ip').orderBy('id', 'desc').executeTakeFirst()
  const session = await database.db.selectFrom('sessions').select('ip').orderBy('created_at', 'desc').executeTakeFirst()
  expect([event?.ip, session?.ip]).toEqual([recorded, recorded])
})

describe('the metrics', () => {
  const token = { authorization: `Bearer ${METRICS_TOKEN}` }
  const read = (app: App, remoteAddress: string, headers: InjectOptions['headers'] = {}) =>
    app.inject({ url: '/metrics', remoteAddress, headers })

  test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('are shown to this machine, %s', async (remote) => {
    const response = await read(direct.app, remote)
    expect(response.statusCode).toBe(200)
    expect(response.body).toContain('http_request_duration_seconds')
  })

  test.each(['203.0.113.80', '10.0.0.1', '192.168.1.1', '::2', '::ffff:203.0.113.80', '1127.0.0.1'])(
    'are not shown to %s',
    async (remote) => {
      expect((await read(direct.app, remote)).statusCode).toBe(403)
    },
  )

  const forged = Object.entries(FORGERIES).map(([name, forge]) => ({ name, headers: forge(1) }))

  test.each(forged)('are not shown to other machines because of $name', async ({ headers }) => {
    const local = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace(/198[\d.]+|2001[\da-f:]+/, '127.0.0.1')]),
    )
    expect((await read(direct.app, '203.0.113.81', local)).statusCode).toBe(403)
    expect((await read(proxied.app, '203.0.113.81', local)).statusCode).toBe(403)
    expect((await read(proxied.app, '10.0.0.1', local)).statusCode).toBe(403)
  })

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
    'are not shown through a proxy on this machine that sends %s',
    async (name) => {
      expect((await read(direct.app, '127.0.0.1', { [name]: '127.0.0.1' })).statusCode).toBe(403)
    },
  )

  test('are shown with the right token, and with no other', async () => {
    expect((await read(direct.app, '203.0.113.82', token)).statusCode).toBe(200)
    expect((await read(proxied.app, '10.0.0.1', { ...token, 'x-forwarded-for': '198.51.100.1' })).statusCode).toBe(200)
    for (const wrong of ['', METRICS_TOKEN.slice(1), `${METRICS_TOKEN}x`, direct.admin.token]) {
      const { statusCode } = await read(direct.app, '203.0.113.82', { authorization: `Bearer ${wrong}` })
      expect(statusCode).toBe(403)
    }
  })
})
