import type { CurrentUser } from '@watchdesk/contract/auth/session'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CLIENT, startOidcProvider } from '../../../../test/helpers/oidc.ts'
import { openBrowser, type SsoBrowser } from '../../../../test/helpers/sso-browser.ts'
import { ADMIN, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

const PUBLIC_URL = 'http://127.0.0.1:39871'
const SECURE_URL = 'https://watchdesk.example'
const provider = await startOidcProvider(PUBLIC_URL)
const secureProvider = await startOidcProvider(SECURE_URL)
const lines: string[] = []
const log = { write: (line: string) => void lines.push(line) }
const watchdesk = useWatchdesk({ ...provider.settings, LOG_LEVEL: 'trace' }, { logStream: log })
const secure = useWatchdesk(secureProvider.settings)
const without = useWatchdesk()
afterAll(() => Promise.all([provider.stop(), secureProvider.stop()]))

const SUBJECT = 'subject-of-the-admin'
let browser: SsoBrowser

beforeEach(() => {
  for (const { accounts } of [provider, secureProvider])
    accounts[SUBJECT] = { email: ADMIN.email, email_verified: true, name: 'Super Admin' }
  browser = openBrowser(watchdesk)
})

describe('a single sign-on', () => {
  test('leads to the provider, back to the sign-in page and to a session', async () => {
    const location = await browser.start()
    const { origin, searchParams } = new URL(location)
    expect(origin).toBe(provider.issuer)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: CLIENT.client_id,
      max_age: '31536000',
      redirect_uri: `${PUBLIC_URL}/sso/callback`,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const { location: end } = await browser.open(await browser.come(location, SUBJECT))
    expect(end).toBe('/login?sso=done')
    const { status, call } = await browser.finish()
    expect(status).toBe(200)
    expect((await call<CurrentUser>('GET', '/api/v1/users/me')).body.email).toBe(ADMIN.email)
    expect(browser.jars.watchdesk).toEqual({})
  })

  test('is recorded: the link once, and each sign-in with its method', async () => {
    await browser.signIn(SUBJECT)
    await browser.finish()
    const { rows } = await sql`select action, entity, actor_name, changes from audit_events
      where entity = 'sso_account' or (action = 'login' and changes -> 'method' ->> 'after' = 'sso')
      order by id desc limit 3`.execute(watchdesk.database.db)
    expect(rows[0]).toMatchObject({ action: 'login', entity: 'session', actor_name: 'Super Admin' })
    const links = await sql`select * from audit_events where entity = 'sso_account'`.execute(watchdesk.database.db)
    expect(links.rows).toMatchObject([
      { action: 'create', actor_name: 'Single sign-on', entity_id: 1, changes: { issuer: { after: provider.issuer } } },
    ])
  })

  test('counts as proof from when the user signed in at the provider', async () => {
    await browser.signIn(SUBJECT)
    await sql`update pending_sign_ins set data = jsonb_set(data, '{proved_at}', '"2026-01-02T03:04:05.000Z"')
      where kind = 'sso_done'`.execute(watchdesk.database.db)
    await browser.finish()
    const { rows } = await sql<{ proved_at: Date; method: string }>`
      select proved_at, method from sessions order by id desc limit 1`.execute(watchdesk.database.db)
    expect(rows).toEqual([{ proved_at: new Date('2026-01-02T03:04:05Z'), method: 'sso' }])
  })

  test('asks no second time while the user is signed in at the provider, unless it has to be proved again', async () => {
    await browser.signIn(SUBJECT)
    const forms = () => browser.visits.filter(({ url }) => url.includes('/sign-in/')).length
    expect(forms()).toBe(1)
    expect(await browser.signIn(SUBJECT)).toBe('/login?sso=done')
    expect(forms()).toBe(1)
    expect(await browser.signIn(SUBJECT, '?again=1')).toBe('/login?sso=done')
    expect(forms()).toBe(2)
    const asked = browser.visits.findLast(({ url }) => url.startsWith('/sso/start'))?.answer.location ?? ''
    expect(new URL(asked).searchParams.get('prompt')).toBe('login')
    expect(new URL(asked).searchParams.get('max_age')).toBe('0')
  })

  test('is no new proof while the user is signed in at the provider', async () => {
    await browser.signIn(SUBJECT)
    await browser.finish()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    await browser.signIn(SUBJECT)
    await browser.finish()
    vi.useRealTimers()
    const { rows } = await sql<{ proved_at: Date }>`
      select proved_at from sessions order by id desc limit 2`.execute(watchdesk.database.db)
    expect(rows[0]?.proved_at).toEqual(rows[1]?.proved_at)
  })

  test('ends at the provider too, which gets the ID token of the session, so that it need not ask', async () => {
    await browser.signIn(SUBJECT)
    const { call } = await browser.finish()
    const { rows } = await sql<{ id_token: Buffer }>`select id_token from sessions
      order by id desc limit 1`.execute(watchdesk.database.db)
    const { status, headers } = await call('POST', '/api/v1/logout')
    const [, id_token = ''] = /^watchdesk_sso_out=([\w.-]+); /.exec(String(headers['set-cookie'])) ?? []
    expect(status).toBe(204)
    expect(headers['set-cookie']).toMatch(/; Path=\/sso\/logout; HttpOnly; SameSite=Strict; Max-Age=60$/)
    expect(JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      sub: SUBJECT,
    })
    expect(rows[0]?.id_token.toString('latin1')).not.toContain(id_token.slice(0, 20))
    browser.jars.watchdesk.watchdesk_sso_out = id_token
    const { location } = await browser.open('/sso/logout')
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
      client_id: CLIENT.client_id,
      post_logout_redirect_uri: `${PUBLIC_URL}/login`,
      id_token_hint: id_token,
    })
    expect((await browser.open(location)).status).toBe(200)
    expect(browser.jars.watchdesk).toEqual({})
    expect(lines.join('\n')).not.toContain(id_token.slice(0, 20))
  })

  test('ends at the provider without the ID token, if the session has ended before', async () => {
    await browser.signIn(SUBJECT)
    const { location } = await browser.open('/sso/logout')
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
      client_id: CLIENT.client_id,
      post_logout_redirect_uri: `${PUBLIC_URL}/login`,
    })
    expect(await browser.leave(provider)).toBe(`${PUBLIC_URL}/login`)
    await browser.signIn(SUBJECT)
    expect(browser.visits.filter(({ url }) => url.includes('/sign-in/'))).toHaveLength(2)
  })

  test('that the user cancels at the provider says so', async () => {
    expect(await browser.signIn('nobody')).toBe('/login?sso=refused')
  })
})

describe('an answer is accepted', () => {
  test('once', async () => {
    const callback = await browser.come(await browser.start(), SUBJECT)
    const { watchdesk_sso: cookie = '' } = browser.jars.watchdesk
    expect((await browser.open(callback)).location).toBe('/login?sso=done')
    expect((await browser.open(callback)).location).toBe('/login?sso=expired')
    browser.jars.watchdesk.watchdesk_sso = cookie
    expect((await browser.open(callback)).location).toBe('/login?sso=expired')
  })

  test('of two at the same time once', async () => {
    const callback = await browser.come(await browser.start(), SUBJECT)
    const answers = await Promise.all([1, 2, 3, 4].map(() => browser.open(callback)))
    const expected = ['done', 'expired', 'expired', 'expired'].map((code) => `/login?sso=${code}`)
    expect(answers.map(({ location }) => location).sort()).toEqual(expected)
  })

  test('from no other browser than the one that started', async () => {
    const callback = await browser.come(await browser.start(), SUBJECT)
    const other = openBrowser(watchdesk)
    expect((await other.open(callback)).location).toBe('/login?sso=expired')
    await other.start()
    expect((await other.open(callback)).location).toBe('/login?sso=invalid')
    expect((await browser.open(callback)).location).toBe('/login?sso=done')
  })

  test.each([
    ['without a state', (query: URLSearchParams) => query.delete('state')],
    ['with another state', (query: URLSearchParams) => query.set('state', 'another')],
    ['with two states', (query: URLSearchParams) => query.append('state', query.get('state') ?? '')],
    ['without a code', (query: URLSearchParams) => query.delete('code')],
    ['with another code', (query: URLSearchParams) => query.set('code', 'another')],
    ['with another issuer', (query: URLSearchParams) => query.set('iss', 'https://other.example')],
    ['without an issuer', (query: URLSearchParams) => query.delete('iss')],
  ])('not %s', async (_, change) => {
    const callback = await browser.come(await browser.start(), SUBJECT)
    const query = new URLSearchParams(callback.split('?')[1])
    change(query)
    expect((await browser.open(`/sso/callback?${query}`)).location).toBe('/login?sso=invalid')
    expect((await browser.open(callback)).location).toBe('/login?sso=expired')
  })

  test('not after ten minutes', async () => {
    const callback = await browser.come(await browser.start(), SUBJECT)
    await sql`update pending_sign_ins set expires_at = now() - interval '1 second'`.execute(watchdesk.database.db)
    expect((await browser.open(callback)).location).toBe('/login?sso=expired')
  })
})

describe('the session', () => {
  test('is for the browser that signed in, once and within a minute', async () => {
    await browser.signIn(SUBJECT)
    expect((await openBrowser(watchdesk).open('/api/v1/login/sso')).status).toBe(401)
    const jar = { ...browser.jars.watchdesk }
    expect((await browser.open('/api/v1/login/sso')).status).toBe(200)
    browser.jars.watchdesk = jar
    expect((await browser.open('/api/v1/login/sso')).status).toBe(401)

    await browser.signIn(SUBJECT)
    const { rows } = await sql<{ seconds: number }>`select extract(epoch from expires_at - now())::int as seconds
      from pending_sign_ins where kind = 'sso_done' order by expires_at desc limit 1`.execute(watchdesk.database.db)
    expect(rows[0]?.seconds).toBeLessThanOrEqual(60)
    await sql`update pending_sign_ins set expires_at = now() - interval '1 second'`.execute(watchdesk.database.db)
    expect((await browser.open('/api/v1/login/sso')).status).toBe(401)
  })

  test('does not follow from a sign-in that the provider has not answered', async () => {
    await browser.start()
    browser.jars.watchdesk.watchdesk_sso_done = browser.jars.watchdesk.watchdesk_sso ?? ''
    expect((await browser.open('/api/v1/login/sso')).status).toBe(401)
  })
})

test('the cookies are for no script, no other site and, with https, for no other host', async () => {
  await browser.signIn(SUBJECT)
  const cookies = browser.visits.flatMap(({ url, answer }) => (url.startsWith('/') ? answer.cookies : []))
  expect(cookies).toEqual([
    expect.stringMatching(/^watchdesk_sso=[\w-]{43}; Path=\/sso; HttpOnly; SameSite=Lax; Max-Age=600$/),
    'watchdesk_sso=; Path=/sso; HttpOnly; SameSite=Lax; Max-Age=0',
    expect.stringMatching(
      /^watchdesk_sso_done=[\w-]{43}; Path=\/api\/v1\/login\/sso; HttpOnly; SameSite=Strict; Max-Age=60$/,
    ),
  ])
  const other = openBrowser(secure)
  expect(await other.signIn(SUBJECT)).toBe('/login?sso=done')
  const [first, , last] = other.visits.flatMap(({ url, answer }) => (url.startsWith('/') ? answer.cookies : []))
  expect(first).toMatch(/^__Host-watchdesk_sso=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/)
  expect(last).toMatch(/^__Host-watchdesk_sso_done=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=60$/)
  expect((await other.finish()).status).toBe(200)
})

test('the browser is only sent to the provider and to the sign-in page, whatever the query', async () => {
  const elsewhere = 'https://evil.example'
  const names = [
    'redirect_uri',
    'return_to',
    'next',
    'url',
    'post_logout_redirect_uri',
    'error_description',
    'error',
    'sso',
  ]
  const query = names.map((name) => `${name}=${encodeURIComponent(elsewhere)}`).join('&')
  for (const path of ['/sso/start', '/sso/callback', '/sso/logout']) {
    const { location } = await browser.open(`${path}?${query}`)
    expect(location).not.toContain('evil.example')
    expect([provider.issuer, PUBLIC_URL]).toContain(new URL(location, PUBLIC_URL).origin)
  }
})

test('another site cannot start a sign-in: the browser is sent to the sign-in page instead', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  const { headers: answer, cookies } = await watchdesk.app.inject({ url: '/sso/start', headers })
  expect([answer.location, cookies]).toEqual(['/login', []])
})

test('no code, state, verifier, token or secret is in the log, in an answer or in an event', async () => {
  lines.length = 0
  const location = await browser.start()
  const { rows } = await sql<{ data: Record<string, string> }>`select data from pending_sign_ins
    where kind = 'sso' order by expires_at desc limit 1`.execute(watchdesk.database.db)
  const callback = await browser.come(location, SUBJECT)
  const cookie = browser.jars.watchdesk.watchdesk_sso ?? ''
  await browser.open(callback)
  await browser.open(callback)
  const done = browser.jars.watchdesk.watchdesk_sso_done ?? ''
  const { call } = await browser.finish()
  await browser.open(`/sso/callback?error=${CLIENT.client_secret}&state=${rows[0]?.data.state}`)
  const code = new URLSearchParams(callback.split('?')[1]).get('code') ?? ''
  const { state = '', nonce = '', verifier = '' } = rows[0]?.data ?? {}
  const secrets = [CLIENT.client_secret, code, state, nonce, verifier, cookie, done, call.token]
  expect(secrets.filter((secret) => secret.length < 20)).toEqual([])

  const logged = lines.join('\n')
  expect(logged).toContain('/sso/callback')
  expect(secrets.filter((secret) => logged.includes(secret))).toEqual([])
  const own = browser.visits.filter(({ url }) => url.startsWith('/') && !url.startsWith('/sso/start'))
  const answers = own.map(({ answer }) => answer.location + answer.body.replace(call.token, '')).join('\n')
  expect(secrets.filter((secret) => answers.includes(secret))).toEqual([])
  const sent = new URL(location).href
  expect([CLIENT.client_secret, verifier, cookie].filter((secret) => sent.includes(secret))).toEqual([])
  const events = await sql`select * from audit_events`.execute(watchdesk.database.db)
  const stored = await sql`select * from sso_accounts`.execute(watchdesk.database.db)
  const kept = JSON.stringify([events.rows, stored.rows])
  expect(secrets.filter((secret) => kept.includes(secret))).toEqual([])
})

test('without OIDC_ISSUER there is no single sign-on', async () => {
  const plain = openBrowser(without)
  for (const path of ['/sso/start', '/sso/callback?code=1&state=2', '/sso/logout', '/api/v1/login/sso'])
    expect((await plain.open(path)).status).toBe(404)
})
