import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Claims,
  makeKeys,
  respondWithJson,
  signed,
  signedWithSecret,
  startHostileProvider,
  unsigned,
} from '../../../../test/helpers/hostile-oidc.ts'
import { CLIENT } from '../../../../test/helpers/oidc.ts'
import { openBrowser, type SsoBrowser } from '../../../../test/helpers/sso-browser.ts'
import { ADMIN, startWatchdesk, useWatchdesk, type Watchdesk } from '../../../../test/helpers/watchdesk.ts'

const PUBLIC_URL = 'http://127.0.0.1:39872'
const hostile = await startHostileProvider(PUBLIC_URL)
const lines: string[] = []
const log = { write: (line: string) => void lines.push(line) }
const watchdesk = useWatchdesk({ ...hostile.settings, LOG_LEVEL: 'trace' }, { logStream: log })
afterAll(() => hostile.stop())

const keys = hostile.keys
const CONFIGURATION = '/.well-known/openid-configuration'
const MINUTE = 60
const now = () => Math.floor(Date.now() / 1000)
let browser: SsoBrowser

beforeEach(() => {
  hostile.handlers = {}
  hostile.asked.length = 0
  browser = openBrowser(watchdesk)
})

type Token = (claims: Claims) => string

/** Answers a sign-in with a token, and returns where the browser is sent. */
async function answerWith(token: Token, query = '', by = browser) {
  const { searchParams } = new URL(await by.start(query))
  hostile.id_token = token(hostile.claims(searchParams.get('nonce') ?? '', ADMIN.email))
  return (await by.open(`/sso/callback?code=code-canary-81&state=${searchParams.get('state')}`)).location
}

function withClaims(changed: Claims): Token {
  return (claims) => signed({ ...claims, ...changed }, keys)
}

const VALID = withClaims({})

test('a valid ID token signs in', async () => {
  expect(await answerWith(VALID)).toBe('/login?sso=done')
  expect((await browser.finish()).status).toBe(200)
})

describe('an ID token is refused', () => {
  test.each<[string, Token]>([
    ['of another issuer', withClaims({ iss: 'https://other.example' })],
    ['without an issuer', withClaims({ iss: undefined })],
    ['for another client', withClaims({ aud: 'another-client' })],
    ['for another client among others', withClaims({ aud: [CLIENT.client_id, 'other'], azp: 'other' })],
    ['without an audience', withClaims({ aud: undefined })],
    ['that has expired', withClaims({ exp: now() - 10 * MINUTE })],
    ['that never expires', withClaims({ exp: undefined })],
    ['that is not valid yet', withClaims({ nbf: now() + 10 * MINUTE })],
    ['with another nonce', withClaims({ nonce: 'another' })],
    ['without a nonce', withClaims({ nonce: undefined })],
    ['without a subject', withClaims({ sub: undefined })],
    ['with a subject that is too long', withClaims({ sub: 'x'.repeat(256) })],
    ['with a subject that cannot be stored', withClaims({ sub: 'x\0y' })],
    ['with a subject that would be stored as another', withClaims({ sub: 'x\ud800y' })],
    ['signed by someone else', (claims) => signed(claims, makeKeys())],
    ['signed with an unknown key', (claims) => signed(claims, keys, { kid: 'two' })],
    ['whose claims were changed', (claims) => tampered(signed(claims, keys), { ...claims, sub: 'other' })],
    ['without its signature', (claims) => signed(claims, keys).replace(/[^.]+$/, '')],
    ['that is not signed', (claims) => `${unsigned(claims, { alg: 'none' })}.`],
    ['that is not signed, written differently', (claims) => `${unsigned(claims, { alg: 'NONE' })}.`],
    ['signed with the client secret', (claims) => signedWithSecret(claims, CLIENT.client_secret)],
    ['signed with the public key as secret', (claims) => signedWithSecret(claims, publicKey())],
    ['with a critical extension', (claims) => signed(claims, keys, { crit: ['b64'], b64: true })],
    [
      'for another purpose, without our nonce',
      (claims) => signed({ ...claims, nonce: undefined, events: {} }, keys, { typ: 'logout+jwt' }),
    ],
    ['that is no token', () => 'not-a-token'],
    ['that is missing', () => ''],
  ])('%s', async (_, token) => {
    expect(await answerWith(token)).toBe('/login?sso=invalid')
    expect(browser.jars.watchdesk).toEqual({})
  })

  function tampered(token: string, claims: Claims) {
    const [header, , signature] = token.split('.')
    return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
  }

  function publicKey() {
    return keys.publicKey.export({ type: 'spki', format: 'pem' }) as string
  }
})

describe('who has to prove again who they are', () => {
  test('has to sign in at the provider again', async () => {
    expect(await answerWith(withClaims({ auth_time: now() - 10 * MINUTE }), '?again=1')).toBe('/login?sso=invalid')
    expect(await answerWith(withClaims({ auth_time: undefined }), '?again=1')).toBe('/login?sso=invalid')
    expect(await answerWith(withClaims({ auth_time: now() }), '?again=1')).toBe('/login?sso=done')
  })

  test('cannot prove it with an earlier sign-in, or with one in the future', async () => {
    const provedAt = async () => {
      await browser.finish()
      const { rows } = await sql<{ ago: number }>`select extract(epoch from now() - proved_at)::int as ago from sessions
        order by id desc limit 1`.execute(watchdesk.database.db)
      return rows[0]?.ago
    }
    expect(await answerWith(withClaims({ auth_time: now() - 3600 }))).toBe('/login?sso=done')
    expect(await provedAt()).toBeGreaterThanOrEqual(3600)
    expect(await answerWith(withClaims({ auth_time: now() + 86_400 }))).toBe('/login?sso=done')
    expect(await provedAt()).toBeGreaterThanOrEqual(0)
  })
})

describe('an email', () => {
  const subject = { sub: 'someone-else' }

  test('of the token is not verified by what the provider says elsewhere', async () => {
    hostile.handlers['/userinfo'] = (response) =>
      respondWithJson(response, 200, { ...subject, email: 'own@example.com', email_verified: true })
    const token = withClaims({ ...subject, email_verified: undefined })
    expect(await answerWith(token)).toBe('/login?sso=unverified_email')
  })

  test('of another subject is not accepted', async () => {
    hostile.handlers['/userinfo'] = (response) =>
      respondWithJson(response, 200, { sub: 'subject', email: ADMIN.email, email_verified: true })
    const token = withClaims({ ...subject, email: undefined, email_verified: undefined })
    expect(await answerWith(token)).toBe('/login?sso=invalid')
  })

  test.each([['true'], [1], [{}], [false], [undefined]])(
    'that is verified as %j is not verified',
    async (email_verified) => {
      expect(await answerWith(withClaims({ ...subject, email_verified }))).toBe('/login?sso=unverified_email')
    },
  )
})

describe('a provider that', () => {
  const FAULTS: [string, (response: ServerResponse) => unknown][] = [
    ['resets connections', (response) => response.destroy()],
    ['has an error', (response) => respondWithJson(response, 500, { error: 'server_error' })],
    ['answers without an end', (response) => endless(response)],
    ['redirects', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['answers with a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>')],
    [
      'answers with broken JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a'),
    ],
  ]

  test.each(FAULTS)('%s fails the sign-in when the code is redeemed', async (_, fault) => {
    hostile.handlers['/token'] = fault
    expect(await answerWith(VALID)).toMatch(/^\/login\?sso=(unreachable|invalid)$/)
    hostile.handlers = {}
    expect(await answerWith(VALID)).toBe('/login?sso=done')
  })

  test('does any of these fails the sign-in before it starts, until it works again', async () => {
    await withNewServer(async (started) => {
      const other = openBrowser(started)
      for (const [what, fault] of FAULTS) {
        hostile.handlers[CONFIGURATION] = fault
        expect([what, await other.start()]).toEqual([what, '/login?sso=unreachable'])
        expect([what, (await other.open('/sso/logout')).location]).toEqual([what, '/login?sso=unreachable'])
      }
      hostile.handlers = {}
      expect(await answerWith(VALID, '', other)).toBe('/login?sso=done')
    })
  })

  test('hangs delays nobody else, and fails within seconds', async () => {
    hostile.handlers[CONFIGURATION] = () => {}
    await withNewServer(async (started) => {
      const before = Date.now()
      const waiting = Promise.all([1, 2, 3].map(() => openBrowser(started).start()))
      const first = await Promise.race([waiting, started.admin('GET', '/api/v1/users/me')])
      expect(first).toMatchObject({ status: 200 })
      expect(await waiting).toEqual(Array(3).fill('/login?sso=unreachable'))
      expect(Date.now() - before).toBeLessThan(20_000)
      expect(hostile.asked.filter((path) => path === CONFIGURATION)).toHaveLength(1)
    })
  })

  test('fails once is asked again at once, and is not asked for every sign-in', async () => {
    hostile.handlers[CONFIGURATION] = (response) => {
      hostile.handlers = {}
      respondWithJson(response, 503, {})
    }
    await withNewServer(async (started) => {
      for (const _ of [1, 2, 3]) expect(await openBrowser(started).start()).toContain('/authorize')
      expect(hostile.asked).toEqual([CONFIGURATION, CONFIGURATION])
    })
  })

  test('publishes another issuer is not used', async () => {
    hostile.metadata = { issuer: 'https://other.example' }
    await withNewServer(async (started) => expect(await openBrowser(started).start()).toBe('/login?sso=unreachable'))
    hostile.metadata = {}
  })

  test('has no page to sign out leads back to the sign-in page', async () => {
    expect((await browser.open('/sso/logout')).location).toBe('/login')
  })

  test('answers with an error is not quoted', async () => {
    const { searchParams } = new URL(await browser.start())
    const text = encodeURIComponent('<script>alert(1)</script>')
    const { location, body } = await browser.open(
      `/sso/callback?error=access_denied&error_description=${text}&state=${searchParams.get('state')}`,
    )
    expect({ location, body }).toEqual({ location: '/login?sso=refused', body: '' })
  })

  async function withNewServer(work: (started: Watchdesk) => Promise<void>) {
    const { watchdesk: started, stop } = await startWatchdesk(hostile.settings)
    await work(started).finally(stop)
  }
})

test('no token, code or secret of all these sign-ins is in the log, but the reason is', () => {
  const logged = lines.join('\n')
  expect(logged).toContain('OAUTH_JWT_CLAIM_COMPARISON_FAILED, nonce')
  for (const secret of ['code-canary-81', 'access-token-canary', CLIENT.client_secret, 'eyJ', '<script>'])
    expect(logged).not.toContain(secret)
})

function endless(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = ' '.repeat(100_000)
  const more = () => {
    while (!response.destroyed && response.write(chunk)) {}
  }
  response.on('drain', more)
  more()
}
