import type { AuditPage } from '@watchdesk/contract/activity'
import type { OpenedLink } from '@watchdesk/contract/auth/links'
import type { Session } from '@watchdesk/contract/auth/session'
import { errorText } from '@watchdesk/contract/errors'
import type { CreatedUser, Invitation } from '@watchdesk/contract/users'
import type { UsersImported } from '@watchdesk/contract/users-import'
import { describe, expect, test } from 'vitest'
import { addAuthenticator, addPasskey, codeOf, halfSignIn } from '../../../../test/helpers/second-factors.ts'
import { mailSettings } from '../../../../test/helpers/smtp.ts'
import {
  type ApiResponse,
  type Caller,
  caller,
  PASSWORD,
  startAnother,
  useWatchdesk,
} from '../../../../test/helpers/watchdesk.ts'
import { purge } from '../../../purge.ts'
import { createSignInLink } from './sign-in-link.ts'
import { createLink } from './store.ts'

const log: string[] = []
const watchdesk = useWatchdesk({ LOG_LEVEL: 'trace' }, { logStream: { write: (line) => void log.push(line) } })
const CHOSEN = 'a chosen staple 5'
const ENDED = 'This link is not valid any more. Ask for a new one.'
const query = (text: string, values: unknown[] = []) => watchdesk.database.pool.query(text, values)

const open = (token: string) => watchdesk.anonymous<OpenedLink>('POST', '/api/v1/login/link', { token })
const choose = (token: string, password = CHOSEN) =>
  watchdesk.anonymous('POST', '/api/v1/login/link/password', { token, password })
const signIn = (token: string) => watchdesk.anonymous<Session>('POST', '/api/v1/login/link/session', { token })
const inviteAs = (call: Caller, id: number) => call<Invitation>('POST', `/api/v1/users/${id}/invite`)

async function invite(id: number) {
  const { status, body } = await inviteAs(watchdesk.admin, id)
  expect(status).toBe(200)
  return tokenOf(body.link)
}

function tokenOf(link: string | null | undefined) {
  return link?.split('#')[1] ?? ''
}

/** As the sender of mails creates it. */
function forgottenLink(user_id: number) {
  return watchdesk.database.db
    .transaction()
    .execute(async (trx) => (await createLink(trx, { user_id, kind: 'forgotten', created_by: null })).token)
}

async function signInLink(email: string) {
  const { link } = await createSignInLink(watchdesk.deps.db, { email, consoleAddress: 'http://127.0.0.1:3000' })
  return tokenOf(link)
}

let serial = 0
async function createInvited(body: object = {}) {
  serial += 1
  const user = { first_name: 'Olena', last_name: 'Kovalenko', email: `invited${serial}@example.com`, workspace_id: 1 }
  const invited = { ...user, is_admin: true, invite: true, ...body }
  const response = await watchdesk.admin<CreatedUser>('POST', '/api/v1/users/', invited, {
    origin: 'https://desk.example.com',
  })
  expect(response.status).toBe(201)
  return response.body
}

async function expectEnded(token: string) {
  for (const { status, body } of [await open(token), await choose(token), await signIn(token)])
    expect([status, body]).toEqual([404, { detail: ENDED }])
}

test('without a mail server, the admin gets the link of a new user once, and the user chooses a password with it', async () => {
  const { invitation, ...user } = await createInvited()
  expect(invitation?.link).toMatch(/^https:\/\/desk\.example\.com\/set_password#[\w-]{43}$/)
  expect(invitation?.sent_to).toBeNull()
  const hours = (Date.parse(invitation?.expires_at ?? '') - Date.now()) / 3_600_000
  expect([Math.round(hours), hours <= 72]).toEqual([72, true])
  const token = tokenOf(invitation?.link)
  expect((await open(token)).body).toEqual({
    kind: 'invitation',
    first_name: 'Olena',
    email: user.email,
    expires_at: invitation?.expires_at,
  })
  expect((await choose(token, 'short')).status).toBe(422)
  expect(errorText((await choose(token, 'password1')).body)).toMatch(/password/i)
  expect((await choose(token)).status).toBe(204)
  const call = await watchdesk.signIn(user.email, CHOSEN)
  expect((await call('GET', '/api/v1/users/me')).body).toMatchObject({ id: user.id, version: 2 })
  expect((await query('select has_password from users where id = $1', [user.id])).rows).toEqual([
    { has_password: true },
  ])
  await expectEnded(token)
})

test('a user with a password gets a link for an hour, which ends sessions, the lock and half-finished sign-ins', async () => {
  const { call: session, ...user } = await watchdesk.createPerson()
  for (let attempt = 0; attempt < 10; attempt += 1)
    await watchdesk.anonymous('POST', '/api/v1/login', { email: user.email, password: 'wrong' })
  await query(
    `insert into pending_sign_ins (token_hash, kind, user_id, expires_at)
     values ('\\x01', 'second_factor', $1, now() + interval '1 hour')`,
    [user.id],
  )
  const token = await invite(user.id)
  const { body } = await open(token)
  expect(body.kind).toBe('password')
  expect(Math.round((Date.parse(body.expires_at) - Date.now()) / 60_000)).toBe(60)
  expect((await session('GET', '/api/v1/users/me')).status).toBe(200)
  expect((await choose(token)).status).toBe(204)
  expect((await session('GET', '/api/v1/users/me')).status).toBe(401)
  await watchdesk.signIn(user.email, CHOSEN)
  expect((await query('select from pending_sign_ins where user_id = $1', [user.id])).rowCount).toBe(0)
  const { objects } = (await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?entity=link&entity_id=${user.id}`)).body
  expect(objects).toMatchObject([
    { action: 'use', actor: { id: user.id }, changes: { kind: { before: null, after: 'password' } } },
    { action: 'create', actor: { id: 1 }, changes: { kind: { before: null, after: 'password' } } },
  ])
})

test.each([
  [
    'single sign-on',
    `insert into sso_accounts (issuer, subject, user_id) values ('https://id.example.com', $1::int::text, $1)`,
  ],
  [
    'a passkey',
    `insert into passkeys (user_id, credential_id, public_key, counter, name) values ($1, $1::int::text::bytea, '', 0, '')`,
  ],
])('a user who signs in with %s and has no password gets a link for an hour, not an invitation', async (_, add) => {
  const user = await watchdesk.createUser({ is_admin: true })
  await query('update users set has_password = false where id = $1', [user.id])
  expect((await open(await invite(user.id))).body.kind).toBe('invitation')
  await query(add, [user.id])
  const { body } = await open(await invite(user.id))
  expect([body.kind, Math.round((Date.parse(body.expires_at) - Date.now()) / 60_000)]).toEqual(['password', 60])
})

test.each([
  ['has become a super admin', { is_super_admin: true }],
  ['has become an auditor', { is_auditor: true }],
  ['was moved to another workspace', { workspace_id: 1 }],
])('a link of a workspace admin is of no use once the user %s', async (_, change) => {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  const { email } = await watchdesk.createUser({ workspace_id, is_admin: true })
  const user = await watchdesk.createUser({ workspace_id })
  const { body } = await inviteAs(await watchdesk.signIn(email), user.id)
  const token = tokenOf(body.link)
  expect((await open(token)).status).toBe(200)
  expect((await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, change)).status).toBe(200)
  expect([(await open(token)).status, (await choose(token)).status]).toEqual([404, 404])
})

describe('a second factor is still needed after', () => {
  const WAYS: [string, (user: { id: number }) => Promise<{ status: number }>][] = [
    ['a link of an admin', async ({ id }) => choose(await invite(id))],
    ['a link for a forgotten password', async ({ id }) => choose(await forgottenLink(id))],
    [
      'an invitation',
      async ({ id }) => {
        await query('update users set has_password = false where id = $1', [id])
        return choose(await invite(id))
      },
    ],
    ['a password of an admin', ({ id }) => watchdesk.admin('PATCH', `/api/v1/users/${id}`, { password: CHOSEN })],
  ]
  test.each(WAYS)('%s', async (_, setPassword) => {
    const user = await watchdesk.createPerson()
    const { secret } = await addAuthenticator(user.call)
    await addPasskey(user.call)
    expect((await setPassword(user)).status).toBeLessThan(300)
    const half = await halfSignIn(watchdesk, user.email, CHOSEN)
    expect(half.pending).toMatchObject({
      next: 'second_factor',
      methods: ['authenticator', 'passkey', 'recovery_code'],
    })
    expect((await half('GET', '/api/v1/users/me')).status).toBe(401)
    expect((await half('POST', '/api/v1/login/code', { code: codeOf(secret, 1) })).status).toBe(200)
  })
})

describe('a link ends', () => {
  const ENDS: [string, (user: CreatedUser) => Promise<unknown>][] = [
    ['when a newer one is created', ({ id }) => invite(id)],
    ['with the user', ({ id }) => watchdesk.admin('DELETE', `/api/v1/users/${id}`)],
    [
      'with the user, also if they are restored',
      async ({ id }) => {
        await watchdesk.admin('DELETE', `/api/v1/users/${id}`)
        await watchdesk.admin('POST', `/api/v1/users/${id}/restore`)
      },
    ],
    [
      'with many users, also if they are restored',
      async ({ id }) => {
        const counts = { expected_count: 1, expected_changed_count: 1 }
        const deleted = await watchdesk.admin('POST', '/api/v1/users/change', {
          action: 'delete',
          ids: [id],
          ...counts,
        })
        expect(deleted.status).toBe(200)
        expect((await watchdesk.admin('POST', `/api/v1/users/${id}/restore`)).status).toBe(200)
      },
    ],
    [
      'with the workspace, also if it is restored',
      async ({ workspace_id }) => {
        expect((await watchdesk.admin('DELETE', `/api/v1/workspaces/${workspace_id}`)).status).toBe(204)
        expect((await watchdesk.admin('POST', `/api/v1/workspaces/${workspace_id}/restore`)).status).toBe(200)
      },
    ],
    ['when it expires', ({ id }) => query('update one_time_links set expires_at = now() where user_id = $1', [id])],
    [
      'when an admin sets a password',
      ({ id }) => watchdesk.admin('PATCH', `/api/v1/users/${id}`, { password: PASSWORD }),
    ],
    [
      'when the email changes',
      ({ id, email }) => watchdesk.admin('PATCH', `/api/v1/users/${id}`, { email: `new.${email}` }),
    ],
  ]
  test.each(ENDS)('%s', async (_, end) => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const user = await createInvited({ workspace_id })
    const tokens = [tokenOf(user.invitation?.link)]
    if (_ !== 'when a newer one is created') tokens.push(await signInLink(user.email))
    expect((await open(tokens[0] ?? '')).status).toBe(200)
    await end(user)
    for (const token of tokens) await expectEnded(token)
  })

  test('and gets the same response as one that never existed', async () => {
    await expectEnded('x')
    await expectEnded('A'.repeat(43))
  })

  test('of one kind when the other kind is created', async () => {
    const user = await createInvited()
    const first = tokenOf(user.invitation?.link)
    await query('update users set has_password = true where id = $1', [user.id])
    const second = await invite(user.id)
    await expectEnded(first)
    await query('update users set has_password = false where id = $1', [user.id])
    const third = await invite(user.id)
    await expectEnded(second)
    expect((await open(third)).body.kind).toBe('invitation')
  })

  test('of a forgotten password when an admin creates one, which ends with nothing that anybody can ask for', async () => {
    for (const has_password of [true, false]) {
      const user = await watchdesk.createUser({ is_admin: true })
      await query('update users set has_password = $2 where id = $1', [user.id, has_password])
      const forgotten = await forgottenLink(user.id)
      const ofAdmin = await invite(user.id)
      await expectEnded(forgotten)
      const { body } = await open(ofAdmin)
      const asked = [await forgottenLink(user.id), await forgottenLink(user.id)]
      await expectEnded(asked[0] ?? '')
      expect((await open(ofAdmin)).body).toEqual(body)
      expect((await open(asked[1] ?? '')).body).toMatchObject({ kind: 'password', email: user.email })
      expect((await choose(asked[1] ?? '')).status).toBe(204)
      await expectEnded(ofAdmin)
    }
  })

  test('and is removed after it has expired', async () => {
    const { id } = await createInvited()
    await query('update one_time_links set expires_at = now() where user_id = $1', [id])
    await query(
      `insert into mails (kind, email, created_at) values ('invitation', 'old@example.com', now() - interval '2 days')`,
    )
    await purge(watchdesk.database.db, watchdesk.deps.env)
    expect((await query('select from one_time_links where user_id = $1', [id])).rowCount).toBe(0)
    expect((await query('select from mails')).rowCount).toBe(0)
  })
})

test('of many uses at once, one chooses the password', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { email, invitation } = await createInvited()
    const passwords = Array.from({ length: 6 }, (_, index) => `chosen staple number ${index}`)
    const token = tokenOf(invitation?.link)
    const responses = await Promise.all(passwords.map((password) => choose(token, password)))
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(5).fill(404)])
    await watchdesk.signIn(email, passwords[responses.findIndex(({ status }) => status === 204)])
  }
})

describe('a link of the command line', () => {
  test('signs in once, without a password', async () => {
    const user = await watchdesk.createUser({ is_admin: true })
    const token = await signInLink(user.email.toUpperCase())
    for (const { status } of [await open(token), await choose(token)]) expect(status).toBe(404)
    const responses = await Promise.all([1, 2, 3, 4].map(() => signIn(token)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    const { body } = responses.find(({ status }) => status === 200) ?? responses[0] ?? { body: undefined }
    const call = caller(watchdesk.app, body?.access_token ?? '')
    expect((await call('GET', '/api/v1/users/me')).body.id).toBe(user.id)
    const events = async (entity: string) =>
      (await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?entity=${entity}&entity_id=${user.id}`)).body.objects
    expect(await events('session')).toMatchObject([
      { action: 'login', changes: { method: { before: null, after: 'link' } } },
    ])
    expect(await events('link')).toMatchObject([
      {
        action: 'create',
        actor: { id: null, name: 'npm run sign-in-link' },
        changes: { kind: { before: null, after: 'sign_in' } },
      },
    ])
  })

  test('is of no use to someone who has lost all access since', async () => {
    const user = await watchdesk.createUser({ is_admin: true })
    const token = await signInLink(user.email)
    await query('update users set is_admin = false where id = $1', [user.id])
    expect((await signIn(token)).body).toEqual({ detail: ENDED })
  })

  test('is not created for someone who cannot sign in', async () => {
    const plain = await watchdesk.createUser({})
    const { id: workspace_id } = await watchdesk.createWorkspace({ name: 'Closed', status: 'DEACTIVATED' })
    const closed = await watchdesk.createUser({ workspace_id, is_admin: true })
    await expect(signInLink(plain.email)).rejects.toThrow(/is not an admin/)
    await expect(signInLink(closed.email)).rejects.toThrow('The workspace Closed is deactivated')
    await expect(signInLink('nobody@example.com')).rejects.toThrow('No user has the email nobody@example.com.')
  })
})

describe('who may invite', () => {
  test('a workspace admin invites users of their own workspace, but no super admin, no auditor and no stranger', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const { call } = await watchdesk.createPerson({ workspace_id, is_admin: true })
    const others = [
      await watchdesk.createUser({ workspace_id }),
      await watchdesk.createUser({ workspace_id, is_super_admin: true }),
      await watchdesk.createUser({ workspace_id, is_auditor: true }),
      await watchdesk.createUser({}),
    ]
    const statuses = []
    for (const { id } of others) statuses.push((await inviteAs(call, id)).status)
    expect(statuses).toEqual([200, 403, 403, 404])
  })

  test('nobody invites themselves', async () => {
    const { status, body } = await inviteAs(watchdesk.admin, 1)
    expect([status, errorText(body)]).toEqual([
      409,
      'You cannot invite yourself. Change your password in your account.',
    ])
  })

  test('inviting a super admin needs a recent sign-in', async () => {
    const boss = await watchdesk.createUser({ is_super_admin: true })
    const { call, ...inviter } = await watchdesk.createPerson({ is_super_admin: true })
    await query(`update sessions set proved_at = now() - interval '16 minutes' where user_id = $1`, [inviter.id])
    const refused = await inviteAs(call, boss.id)
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('insufficient_user_authentication'),
    ])
    expect((await query('select from one_time_links where user_id = $1', [boss.id])).rowCount).toBe(0)
    expect((await inviteAs(call, (await watchdesk.createUser({})).id)).status).toBe(200)
  })
})

describe('many users at once', () => {
  const rows = () =>
    [2, 3, 4].map((row) => ({
      row,
      name: 'Ada Winter',
      email: `many${++serial}@example.com`,
      ...(row === 4 && { password: PASSWORD }),
    }))
  const add = (body: object, key: string) =>
    watchdesk.admin<UsersImported>(
      'POST',
      '/api/v1/users/import',
      { workspace_id: 1, rows_count: 3, ...body },
      {
        'idempotency-key': `${key}-import-of-users`,
        origin: 'https://desk.example.com',
      },
    )

  test('each user without a password gets a link, also when the call is repeated, and no link is stored', async () => {
    const body = { rows: rows(), invite: true }
    const first = (await add(body, 'first')).body
    expect(first.rows.map(({ outcome, link }) => [outcome, link !== undefined])).toEqual([
      ['added', true],
      ['added', true],
      ['added', false],
    ])
    const [one, two] = first.rows.map(({ link }) => tokenOf(link))
    expect((await choose(one ?? '')).status).toBe(204)
    await watchdesk.signIn(first.rows[2]?.email ?? '').catch((error) => expect(String(error)).toContain('may not use'))
    const again = (await add(body, 'first')).body
    expect(again.rows.map(({ user_id }) => user_id)).toEqual(first.rows.map(({ user_id }) => user_id))
    expect(again.rows.map(({ link }) => link !== undefined)).toEqual([false, true, false])
    await expectEnded(two ?? '')
    expect((await open(tokenOf(again.rows[1]?.link))).status).toBe(200)
    const stored = (await query('select answer::text from idempotency_keys')).rows
    expect(JSON.stringify(stored)).not.toContain('set_password')
  })

  test('without invitations, a password is required as before', async () => {
    const { body } = await add({ rows: rows() }, 'second')
    expect(body.rows.map(({ outcome }) => outcome)).toEqual(['invalid password', 'invalid password', 'added'])
  })
})

describe('a server', () => {
  test('without passwords creates no links to choose one, and those that exist are of no use', async () => {
    const { id, invitation } = await createInvited()
    const token = tokenOf(invitation?.link)
    const env = { ...mailSettings(), PASSWORD_LOGIN: 'off', OIDC_LABEL: 'Acme' } as const
    const { admin, anonymous } = await startAnother(watchdesk, { env })
    const calls = [
      await inviteAs(admin, id),
      await anonymous('POST', '/api/v1/login/link', { token }),
      await anonymous('POST', '/api/v1/login/link/password', { token, password: CHOSEN }),
      await anonymous('POST', '/api/v1/login/forgotten_password', { email: 'admin@watchdesk.local' }),
    ]
    for (const { status } of calls) expect(status).toBe(403)
    expect((await query('select from mails')).rowCount).toBe(0)
    const token2 = await signInLink('admin@watchdesk.local')
    expect((await anonymous('POST', '/api/v1/login/link/session', { token: token2 })).status).toBe(200)
  })

  test('without a mail server gives everyone the same answer: it cannot send a link', async () => {
    for (const email of ['admin@watchdesk.local', 'nobody@example.com']) {
      const { status, body } = await watchdesk.anonymous('POST', '/api/v1/login/forgotten_password', { email })
      expect([status, errorText(body)]).toEqual([
        404,
        'This server sends no mails. Ask your administrator for a link to choose another password.',
      ])
    }
  })
})

test('the tokens of links are in no log line, event, stored row or other response', async () => {
  const user = await createInvited()
  const tokens = [tokenOf(user.invitation?.link), await signInLink(user.email)]
  const [token = '', signInToken = ''] = tokens
  const responses: ApiResponse<unknown>[] = [await open(token), await choose(token, 'short'), await choose(token)]
  tokens.push(await invite(user.id), await signInLink(user.email))
  responses.push(await signIn(signInToken), await signIn(tokens[3] ?? ''), await open(tokens[2] ?? ''))
  responses.push(await watchdesk.admin('GET', '/api/v1/audit/?page_size=100'))
  responses.push(await watchdesk.admin('GET', `/api/v1/users/${user.id}`))
  const { rows: tables } = await query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const stored = []
  for (const { name } of tables) stored.push((await query(`select row::text from ${name} as row`)).rows)
  expect(log.length).toBeGreaterThan(10)
  for (const [where, text] of Object.entries({
    log: log.join(''),
    stored: JSON.stringify(stored),
    responses: JSON.stringify(responses.map(({ body, headers }) => [body, headers])),
  })) {
    for (const each of tokens) expect(text.includes(each), where).toBe(false)
  }
})
