import { randomBytes } from 'node:crypto'
import type { NewAuthenticator, PendingSignIn, Session } from '@watchdesk/contract/auth/session'
import type { NewToken } from '@watchdesk/contract/auth/tokens'
import type { CreatedUser } from '@watchdesk/contract/users'
import { Secret } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/db/open.ts'
import { CLIENT, type OidcProvider, startOidcProvider } from '../helpers/oidc.ts'
import { type Answer, overHttp } from '../helpers/over-http.ts'
import { databaseUrl, type Replica, runCommand, startBuilt } from '../helpers/replica.ts'
import { codeOf } from '../helpers/second-factors.ts'
import { tokenIn } from '../helpers/smtp.ts'
import { type Smtp, startSmtp } from '../helpers/smtp-server.ts'
import { type CreationOptions, type RequestOptions, softPasskey } from '../helpers/soft-passkey.ts'
import { openBrowser } from '../helpers/sso-browser.ts'
import { ADMIN, type Caller, caller, cloneDatabase, type Watchdesk } from '../helpers/watchdesk.ts'

/** The origin of the software passkey. */
const PUBLIC_URL = 'http://localhost'
const API = '/api/v1'

type Kept = { name: string; forms: string[]; shown: 'once' | 'never' }
const kept = new Map<string, Kept>()

/** From here on, nobody but the one answer that shows it may contain the secret. */
function keep(name: string, secret: string, shown: Kept['shown'] = 'never', more: string[] = []) {
  if (secret.length < 12) throw new Error(`There is no ${name}`)
  const hex = Buffer.from(secret).toString('hex')
  kept.set(secret, { name, forms: [secret, encodeURIComponent(secret), hex, ...more], shown })
  return secret
}

/** With a space, a capital and a number, so that nothing else looks like it. */
const newPassword = (name: string) => keep(name, `Zq ${randomBytes(9).toString('hex')} 7`)

/** A token, also as its bytes. */
function keepToken(name: string, token: string, shown: Kept['shown'] = 'once') {
  return keep(name, token, shown, [Buffer.from(token, 'base64url').toString('hex')])
}

const settings = {
  PUBLIC_URL,
  LOG_LEVEL: 'trace',
  LOGIN_RATE_LIMIT: '1000000',
  EXPENSIVE_RATE_LIMIT: '1000000',
  MAIL_FROM: 'Watchdesk <desk@example.com>',
  SECRET_KEY: keep('SECRET_KEY', randomBytes(32).toString('base64url')),
  METRICS_TOKEN: keep('METRICS_TOKEN', randomBytes(32).toString('base64url')),
  BOOTSTRAP_ADMIN_PASSWORD: keep('BOOTSTRAP_ADMIN_PASSWORD', ADMIN.password),
}
const smtpPassword = keep('the password of SMTP_URL', randomBytes(16).toString('hex'))
keep('OIDC_CLIENT_SECRET', CLIENT.client_secret)

let database: Database
let smtp: Smtp
let provider: OidcProvider
let server: Replica
let env: Record<string, string>
let watchdesk: Watchdesk
let answers: Answer[]
let anonymous: Caller
let admin: Caller

const query = (text: string, values: unknown[] = []) => database.pool.query(text, values)
const post = <Body>(path: string, body?: unknown, call = anonymous) => call<Body>('POST', `${API}${path}`, body)
const me = (token: string) => caller(watchdesk.app, token)('GET', `${API}/users/me`)

beforeAll(async () => {
  database = await cloneDatabase()
  smtp = await startSmtp()
  provider = await startOidcProvider(PUBLIC_URL)
  const SMTP_URL = `smtp://desk:${smtpPassword}@127.0.0.1:${smtp.port}`
  env = { ...settings, ...provider.settings, SMTP_URL, DATABASE_URL: databaseUrl(database) }
  server = await startBuilt(env)
  // The address that it prints is that of users. Its own is in the log.
  const url = await vi.waitUntil(() => /listening at (http:[\w./:]+)/.exec(server.output())?.[1], { timeout: 20_000 })
  const over = overHttp(url)
  answers = over.answers
  anonymous = caller(over.app, '')
  watchdesk = { app: over.app, anonymous } as Watchdesk
  admin = await signIn(ADMIN.email, ADMIN.password)
})
afterAll(async () => {
  await server.stop()
  await Promise.all([provider.stop(), smtp.stop()])
  await database.close()
})

async function signIn(email: string, password: string) {
  const { status, body } = await post<Session>('/login', { email, password })
  expect(status).toBe(200)
  return caller(watchdesk.app, keepToken('an access_token', body.access_token))
}

let serial = 0
async function createUser(body: object) {
  serial += 1
  const user = { first_name: 'Ada', last_name: `Winter ${serial}`, email: `ada${serial}@example.com`, workspace_id: 1 }
  const { status, body: created } = await post<CreatedUser>('/users/', { ...user, is_admin: true, ...body }, admin)
  expect(status).toBe(201)
  return created
}

async function makePerson() {
  const password = newPassword('a password')
  const user = await createUser({ password })
  return { ...user, password, call: await signIn(user.email, password) }
}

/** The token of the link in the next mail with one, which is sent after the work. */
async function mailed(name: string, work: () => Promise<unknown>) {
  const withLink = () => smtp.received.filter(({ text }) => text.includes('#'))
  const before = withLink().length
  await work()
  await expect.poll(() => withLink().length, { timeout: 20_000 }).toBe(before + 1)
  return keepToken(name, tokenIn(withLink().at(-1)), 'never')
}

/** Uses of a secret where it does not belong. Each is refused. */
async function misuse(secret: string) {
  const json = { 'content-type': 'application/json' }
  const encoded = encodeURIComponent(secret)
  const refused = [
    await anonymous('POST', `${API}/login`, `{"email":"ada@example.com","password":"${secret}`, json),
    await anonymous('POST', `${API}/login`, `${secret}{`, json),
    await anonymous('POST', `${API}/login`, `password=${encoded}`, { 'content-type': 'text/plain' }),
    await post('/login', { email: secret, password: 'x' }),
    await post('/login', { email: 'ada@example.com', password: [secret] }),
    await post('/login', { email: 'nobody@example.com', password: secret }),
    await post('/login', { email: 'nobody@example.com', password: 'x', token: secret }),
    await post('/login/code', { code: secret }, caller(watchdesk.app, secret.replace(/\W/g, '-'))),
    await post('/login/link', { token: secret.replace(/\W/g, '-') }),
    await post('/login/link/password', { token: secret.replace(/\W/g, '-'), password: secret }),
    await post('/login/link/session', { token: secret.replace(/\W/g, '-') }),
    await post('/login/passkey', { answer: { id: secret, response: secret } }),
    await anonymous('GET', `${API}/users/me?access_token=${encoded}`),
    await admin('GET', `${API}/users/?access_token=${encoded}`),
    await admin('GET', `${API}/users/?page=${encoded}`),
    await anonymous('POST', `${API}/login?token=${encoded}`, {}),
    await me(secret.replace(/\W/g, '-')),
    await anonymous('GET', `${API}/users/me`, undefined, { authorization: `Basic ${encoded}` }),
    await anonymous('GET', `${API}/users/me`, undefined, { cookie: `__Host-watchdesk_sso=${encoded}` }),
    await post('/users/', { email: 'eve@example.com', password: secret, type: secret, workspace_id: secret }, admin),
  ]
  expect(refused.filter(({ status }) => status < 400 || status >= 500)).toEqual([])
}

describe('secrets are made and used, rightly and wrongly:', () => {
  test('passwords and sessions', async () => {
    const { id, email, password, call } = await makePerson()
    expect((await post('/login', { email, password: newPassword('a wrong password') })).status).toBe(401)
    const next = newPassword('a new password')
    const wrong = { password: next, current_password: newPassword('a wrong current password') }
    expect((await post('/account/password', wrong, call)).status).toBe(422)
    expect((await post('/account/password', { password: next, current_password: password }, call)).status).toBe(204)
    expect((await post('/login', { email, password })).status).toBe(401)
    const set = newPassword('a password of an admin')
    expect((await admin('PATCH', `${API}/users/${id}`, { password: set })).status).toBe(200)
    expect((await me(call.token)).status).toBe(401)
    const again = await signIn(email, set)
    expect((await post('/logout', undefined, again)).status).toBe(204)
    expect((await me(again.token)).status).toBe(401)
    await misuse(again.token)
    await misuse(set)
    const rows = [
      { row: 2, email: 'eve@example.com', name: 'Eve Frost', password: newPassword('an imported password') },
    ]
    expect((await post('/users/import', { workspace_id: 1, rows_count: 1, rows }, admin)).status).toBe(200)
    const { output } = await runCommand('reset-password', env, [email])
    await signIn(email, keep('a reset password', /The new password is (\S+)/.exec(output)?.[1] ?? ''))
  })

  test('API tokens', async () => {
    const { call } = await makePerson()
    const make = async (name: string) => {
      const { body } = await post<NewToken>('/account/tokens/', { name, days: 1, is_read_only: false }, call)
      return { ...body, token: keepToken('an API token', body.token) }
    }
    const [one, other] = [await make('One'), await make('Other')]
    expect((await me(one.token)).status).toBe(200)
    expect((await post('/account/password', {}, caller(watchdesk.app, one.token))).status).toBe(403)
    expect((await call('DELETE', `${API}/account/tokens/${one.id}`)).status).toBe(204)
    await query('update api_tokens set expires_at = now() where id = $1', [other.id])
    expect([(await me(one.token)).status, (await me(other.token)).status]).toEqual([401, 401])
    await misuse(one.token)
  })

  test('authenticator apps and recovery codes', async () => {
    const { email, password, call } = await makePerson()
    const { body } = await post<NewAuthenticator>('/account/authenticator', undefined, call)
    const bytes = Buffer.from(Secret.fromBase32(body.secret).bytes)
    const secret = keep('the secret of an authenticator app', body.secret, 'once', [bytes.toString('hex')])
    expect((await post('/account/authenticator/confirm', { code: '000000' }, call)).status).toBe(422)
    const url = '/account/authenticator/confirm'
    const { body: confirmed } = await post<{ recovery_codes: string[] }>(url, { code: codeOf(secret) }, call)
    for (const code of confirmed.recovery_codes) keep('a recovery code', code, 'once', [code.replaceAll('-', '')])
    const [first = '', second = ''] = confirmed.recovery_codes
    const half = async () => {
      const { body: pending } = await post<PendingSignIn>('/login', { email, password })
      return caller(watchdesk.app, keepToken('a sign_in_token', pending.sign_in_token))
    }
    const [one, two, three] = [await half(), await half(), await half()]
    const enter = (by: Caller, code: string) => post<Session>('/login/code', { code }, by)
    expect((await enter(one, secret)).status).toBeGreaterThan(400)
    expect((await enter(one, codeOf(secret, 5))).status).toBe(401)
    for (const [by, code] of [
      [one, first],
      [two, codeOf(secret, 1)],
    ] as const) {
      const { status, body: session } = await enter(by, code)
      expect(status).toBe(200)
      keepToken('an access_token', session.access_token)
    }
    expect([(await enter(one, second)).status, (await enter(three, first)).status]).toEqual([401, 401])
    expect((await me(three.token)).status).toBe(401)
    await query('update pending_sign_ins set expires_at = now()')
    expect((await enter(three, second)).status).toBe(401)
    for (const each of [secret, second, three.token]) await misuse(each)
    const renewed = await post<{ recovery_codes: string[] }>('/account/recovery_codes', undefined, call)
    for (const code of renewed.body.recovery_codes) keep('a recovery code', code, 'once', [code.replaceAll('-', '')])
  })

  test('passkeys', async () => {
    const { email, password, call } = await makePerson()
    const passkey = softPasskey()
    const challengeOf = ({ challenge }: { challenge: string }) => keepToken('the challenge of a passkey', challenge)
    const creation = async () => {
      const { body } = await post<{ options: CreationOptions }>('/account/passkeys/options', undefined, call)
      challengeOf(body.options)
      return body.options
    }
    const add = (answer: unknown) =>
      post<{ recovery_codes: string[] }>('/account/passkeys/', { name: 'Laptop', answer }, call)
    expect((await add(passkey.create(await creation(), { origin: 'https://evil.example' }))).status).toBe(422)
    const added = await add(passkey.create(await creation()))
    expect(added.status).toBe(201)
    for (const code of added.body.recovery_codes) keep('a recovery code', code, 'once', [code.replaceAll('-', '')])

    const request = async (path: string, by = anonymous) => {
      const { body } = await post<{ options: RequestOptions }>(`${path}/options`, undefined, by)
      challengeOf(body.options)
      return body.options
    }
    const wrong = passkey.get(await request('/login/passkey'), { origin: 'https://evil.example' })
    expect((await post('/login/passkey', { answer: wrong })).status).toBe(401)
    const answer = passkey.get(await request('/login/passkey'))
    const alone = await post<Session>('/login/passkey', { answer })
    keepToken('an access_token', alone.body.access_token)
    expect((await post('/login/passkey', { answer })).status).toBe(401)
    const { body: pending } = await post<PendingSignIn>('/login', { email, password })
    const half = caller(watchdesk.app, keepToken('a sign_in_token', pending.sign_in_token))
    const second = passkey.get(await request('/login/second_passkey', half))
    const signedIn = await post<Session>('/login/second_passkey', { answer: second }, half)
    keepToken('an access_token', signedIn.body.access_token)
    expect((await post('/login/second_passkey', { answer: second }, half)).status).toBe(401)
  })

  test('links', async () => {
    let user = {} as CreatedUser
    const invitation = await mailed('an invitation', async () => {
      user = await createUser({ invite: true })
    })
    const choose = (token: string, password: string) => post('/login/link/password', { token, password })
    expect((await post('/login/link', { token: invitation })).status).toBe(200)
    expect((await choose(invitation, 'short')).status).toBe(422)
    expect((await post('/login/link/session', { token: invitation })).status).toBe(404)
    const first = newPassword('a chosen password')
    expect((await choose(invitation, first)).status).toBe(204)
    expect((await choose(invitation, newPassword('a password that comes too late'))).status).toBe(404)
    await signIn(user.email, first)

    const reset = await mailed('a reset link', () => post('/login/forgotten_password', { email: user.email }))
    await query('update one_time_links set expires_at = now()')
    expect((await choose(reset, newPassword('a password that comes too late'))).status).toBe(404)
    const byAdmin = await mailed('a link of an admin', () => post(`/users/${user.id}/invite`, undefined, admin))
    expect((await choose(byAdmin, newPassword('a chosen password'))).status).toBe(204)

    const { output } = await runCommand('sign-in-link', env, [user.email])
    const link = keepToken('a sign-in link', /\/sign_in#([\w-]+)/.exec(output)?.[1] ?? '', 'never')
    const { status, body } = await post<Session>('/login/link/session', { token: link })
    expect(status).toBe(200)
    keepToken('an access_token', body.access_token)
    expect((await post('/login/link/session', { token: link })).status).toBe(404)
    for (const token of [reset, byAdmin, link]) await misuse(token)
  })

  test('single sign-on', async () => {
    const { email } = await makePerson()
    provider.accounts.ada = { email, email_verified: true, name: 'Ada Winter' }
    const browser = openBrowser(watchdesk)
    const cookies = (name: string) => {
      for (const value of Object.values(browser.jars.watchdesk)) keepToken(name, value)
    }
    const { searchParams } = new URL(await browser.start())
    for (const name of ['state', 'nonce'] as const) keepToken(`the ${name}`, searchParams.get(name) ?? '')
    cookies('the cookie of a single sign-on')
    const { rows } = await query("select data ->> 'verifier' as verifier from pending_sign_ins where kind = 'sso'")
    keepToken('the PKCE verifier', rows[0]?.verifier, 'never')
    const callback = await browser.come(browser.visits[0]?.answer.location ?? '', 'ada')
    const code = keep('the code', new URLSearchParams(callback.split('?')[1]).get('code') ?? '')
    expect((await browser.open(callback)).location).toBe('/login?sso=done')
    cookies('the cookie of a finished single sign-on')
    const { call } = await browser.finish()
    keepToken('an access_token', call.token)
    for (const address of [callback, `/sso/callback?error=${code}`, `/sso/callback?code=${code}&state=x`])
      expect((await openBrowser(watchdesk).open(address)).location).toMatch(/^\/login\?sso=\w+$/)
    // An answer that the provider does not accept.
    await browser.start()
    const state = new URL(browser.visits.at(-1)?.answer.location ?? '').searchParams.get('state') ?? ''
    keepToken('the state', state)
    cookies('the cookie of a single sign-on')
    expect((await browser.open(`/sso/callback?code=${code}&state=${state}`)).location).toMatch(/^\/login\?sso=\w+$/)
    await misuse(code)
  })

  test('a mail server that refuses its password', async () => {
    smtp.behaviour = 535
    await createUser({ invite: true })
    await expect.poll(() => server.output(), { timeout: 20_000 }).toContain('A mail could not be sent')
  })
})

describe('no secret', () => {
  const found = (text: string, where: string, isAllowed: (secret: Kept) => boolean = () => false) =>
    [...kept.values()]
      .filter((secret) => !isAllowed(secret) && secret.forms.some((form) => text.includes(form)))
      .map(({ name }) => `${name} in ${where}`)

  test('is forgotten by this test', () => {
    const names = new Set([...kept.values()].map(({ name }) => name))
    expect([...names].sort()).toEqual([
      'BOOTSTRAP_ADMIN_PASSWORD',
      'METRICS_TOKEN',
      'OIDC_CLIENT_SECRET',
      'SECRET_KEY',
      'a chosen password',
      'a link of an admin',
      'a new password',
      'a password',
      'a password of an admin',
      'a password that comes too late',
      'a recovery code',
      'a reset link',
      'a reset password',
      'a sign-in link',
      'a sign_in_token',
      'a wrong current password',
      'a wrong password',
      'an API token',
      'an access_token',
      'an imported password',
      'an invitation',
      'the PKCE verifier',
      'the challenge of a passkey',
      'the code',
      'the cookie of a finished single sign-on',
      'the cookie of a single sign-on',
      'the nonce',
      'the password of SMTP_URL',
      'the secret of an authenticator app',
      'the state',
    ])
  })

  test('is in the log', () => {
    const log = server.output()
    expect(log).toContain('/api/v1/login/link/password')
    expect(log).toContain('/sso/callback')
    expect(found(log, 'the log')).toEqual([])
  })

  test('is in the database', async () => {
    const { rows: tables } = await query(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) {
      const { rows } = await query(`select row::text as text from ${name} as row`)
      expect(found(rows.map(({ text }) => text).join('\n'), name)).toEqual([])
    }
  })

  test('is in an answer, except the one that shows it', async () => {
    const { rows: users } = await query('select id from users')
    for (const { id } of users) await admin('GET', `${API}/users/${id}/access`)
    for (const path of ['audit/?page_size=100', 'users/', 'account', 'account/sessions', 'account/tokens/', 'imports/'])
      expect((await admin('GET', `${API}/${path}`)).status).toBe(200)
    const shown = [...kept.values()].flatMap((secret) => {
      const calls = answers.filter(({ text }) => secret.forms.some((form) => text.includes(form)))
      return calls.length > (secret.shown === 'once' ? 1 : 0)
        ? [`${secret.name}: ${calls.map(({ call }) => call.replace(/\?.*/, '')).join(', ')}`]
        : []
    })
    expect(shown).toEqual([])
  })

  test('is in a mail, except the link, and there behind #', () => {
    const links = ['an invitation', 'a reset link', 'a link of an admin']
    for (const { raw, text, html } of smtp.received) {
      const all = [raw, text, html].join('\n')
      expect(found(all.replace(/#[\w=\r\n-]+/g, ''), 'a mail')).toEqual([])
      expect(found(all, 'a mail', ({ name }) => links.includes(name))).toEqual([])
    }
  })

  test('is in an address that the browser or the server opened at the provider, except what the protocol puts there', () => {
    expect(provider.asked).toContain('/token')
    const isOfProtocol = ({ name }: Kept) => ['the state', 'the nonce'].includes(name)
    expect(found(provider.asked.join('\n'), 'an address', isOfProtocol)).toEqual([])
  })
})
