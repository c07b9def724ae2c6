import type { AuditPage } from '@watchdesk/contract/activity'
import type { OpenedLink } from '@watchdesk/contract/auth/links'
import type { CurrentUser } from '@watchdesk/contract/auth/session'
import type { SecondFactorReset, UserAccess } from '@watchdesk/contract/auth/user-access'
import type { Invitation } from '@watchdesk/contract/users'
import { beforeEach, describe, expect, test } from 'vitest'
import { openToken } from '../../../../test/helpers/people.ts'
import { addAuthenticator, codeOf, halfSignIn } from '../../../../test/helpers/second-factors.ts'
import { type Caller, PASSWORD, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

let workspace_id: number
let user: { id: number; email: string }
let them: Caller
let admin: Caller
beforeEach(async () => {
  workspace_id = (await watchdesk.createWorkspace()).id
  user = await watchdesk.createUser({ workspace_id, is_admin: true })
  them = await watchdesk.signIn(user.email)
  admin = await watchdesk.signIn((await watchdesk.createUser({ workspace_id, is_admin: true })).email)
})

const read = (call = admin, id = user.id) => call<UserAccess>('GET', `/api/v1/users/${id}/access`)
const post = (action: string, body?: object, call = admin, id = user.id) =>
  call('POST', `/api/v1/users/${id}/${action}`, body)
const isSignedIn = async (call: Caller) => (await call<CurrentUser>('GET', '/api/v1/users/me')).status === 200

async function noticesOf(id: number) {
  const { rows } = await watchdesk.database.pool.query(
    'select kind, actor_name from account_notices where user_id = $1 order by id',
    [id],
  )
  return rows
}

function removePassword() {
  return watchdesk.database.pool.query('update users set has_password = false where id = $1', [user.id])
}

async function addSecondFactors(id: number) {
  const { pool } = watchdesk.database
  await pool.query(
    `insert into authenticators (user_id, secret, confirmed_at) values ($1, 'encrypted', '2026-01-02T03:04:05Z')`,
    [id],
  )
  await pool.query(
    `insert into passkeys (user_id, credential_id, public_key, counter, name) values ($1::int, $1::text::bytea, 'key', 0, 'Laptop')`,
    [id],
  )
  await pool.query(
    `insert into recovery_codes (user_id, salt, code_hash) values ($1, 'salt', 'one'), ($1, 'salt', 'two')`,
    [id],
  )
}

test('an admin sees sessions, tokens, second factors and failed sign-ins, without any secret', async () => {
  await openToken(watchdesk, user.id)
  await addSecondFactors(user.id)
  for (const password of ['wrong one', 'wrong two'])
    await watchdesk.anonymous('POST', '/api/v1/login', { email: user.email, password })
  const { body } = await read()
  expect(body).toEqual({
    has_password: true,
    invitation_expires_at: null,
    sessions: [expect.objectContaining({ is_current: false, method: 'password' })],
    tokens: [expect.objectContaining({ is_read_only: false, last_used_at: null })],
    second_factor: {
      authenticator: { created_at: '2026-01-02T03:04:05.000Z' },
      passkeys: [{ id: expect.any(Number), name: 'Laptop', created_at: expect.any(String), last_used_at: null }],
      recovery_codes_left: 2,
    },
    failed_count: 2,
    locked_until: null,
    last_failed_at: expect.any(String),
  })
  expect(JSON.stringify(body)).not.toMatch(/encrypted|hash|salt/)
})

describe('super admins and auditors', () => {
  test.each([{ is_super_admin: true }, { is_auditor: true }])(
    'with %o are looked after by super admins',
    async (role) => {
      const { id } = await watchdesk.createUser({ workspace_id, ...role })
      await addSecondFactors(id)
      expect((await read(admin, id)).status).toBe(403)
      for (const action of ['end_sessions', 'end_tokens', 'reset_second_factor']) {
        expect((await post(action, {}, admin, id)).status).toBe(403)
        const done = action === 'reset_second_factor' ? 200 : 204
        expect((await post(action, {}, watchdesk.admin, id)).status).toBe(done)
      }
      expect((await read(watchdesk.admin, id)).body.second_factor).toMatchObject({ authenticator: null, passkeys: [] })
    },
  )

  test('users of another workspace are not found', async () => {
    const { id } = await watchdesk.createUser({})
    expect((await read(admin, id)).status).toBe(404)
    expect((await post('end_sessions', {}, admin, id)).status).toBe(404)
  })
})

test('an admin ends one session or all, which is recorded, and the user is notified', async () => {
  const other = await watchdesk.signIn(user.email)
  const [newest] = (await read()).body.sessions
  expect((await post('end_sessions', { session_id: newest?.id })).status).toBe(204)
  expect([await isSignedIn(them), await isSignedIn(other)]).toEqual([true, false])
  expect((await post('end_sessions', { session_id: newest?.id })).status).toBe(404)
  expect((await post('end_sessions', {})).status).toBe(204)
  expect(await isSignedIn(them)).toBe(false)
  // Nothing is left to end.
  expect((await post('end_sessions', {})).status).toBe(204)
  expect(await noticesOf(user.id)).toMatchObject([{ kind: 'sessions_ended' }, { kind: 'sessions_ended' }])
  const { body } = await watchdesk.admin<{ objects: unknown[] }>(
    'GET',
    `/api/v1/audit/?entity=session&entity_id=${user.id}&action=end_sessions`,
  )
  expect(body.objects).toMatchObject([
    { changes: { sessions: { before: 1, after: 0 } } },
    { changes: { sessions: { before: 2, after: 1 } } },
  ])
})

test('an admin deletes one token or all, and the user is notified', async () => {
  const [first, second] = [await openToken(watchdesk, user.id), await openToken(watchdesk, user.id)]
  const [newest] = (await read()).body.tokens
  const foreign = await watchdesk.createUser({ is_admin: true })
  await openToken(watchdesk, foreign.id)
  const [theirs] = (await read(watchdesk.admin, foreign.id)).body.tokens
  expect((await post('end_tokens', { token_id: theirs?.id })).status).toBe(404)
  expect((await post('end_tokens', { token_id: newest?.id })).status).toBe(204)
  expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([true, false])
  expect((await post('end_tokens', {})).status).toBe(204)
  expect(await isSignedIn(first)).toBe(false)
  expect(await noticesOf(user.id)).toMatchObject([{ kind: 'tokens_ended' }, { kind: 'tokens_ended' }])
})

test('a token ends neither the sessions nor the tokens of its owner, who can', async () => {
  const token = await openToken(watchdesk, user.id)
  for (const action of ['end_sessions', 'end_tokens'])
    expect(await post(action, {}, token)).toMatchObject({
      status: 403,
      body: { detail: 'A token cannot do this. Sign in to the console instead.' },
    })
  expect([await isSignedIn(them), await isSignedIn(token)]).toEqual([true, true])
  expect((await post('end_tokens', {}, them)).status).toBe(204)
  expect([await isSignedIn(them), await isSignedIn(token)]).toEqual([true, false])
})

describe('a reset of the second factors', () => {
  const reset = (body?: object, call = admin) =>
    call<SecondFactorReset>('POST', `/api/v1/users/${user.id}/reset_second_factor`, body)

  test('removes all of them, sessions, tokens and the password, is recorded once, and the user is notified', async () => {
    await addSecondFactors(user.id)
    const token = await openToken(watchdesk, user.id)
    const { status, body } = await reset()
    expect([status, body.invitation?.sent_to]).toEqual([200, null])
    expect(await read()).toMatchObject({
      body: {
        second_factor: { authenticator: null, passkeys: [], recovery_codes_left: 0 },
        has_password: false,
        sessions: [],
        tokens: [],
      },
    })
    expect([await isSignedIn(them), await isSignedIn(token)]).toEqual([false, false])
    expect(await noticesOf(user.id)).toMatchObject([
      { kind: 'second_factor_reset', actor_name: expect.any(String) },
      { kind: 'tokens_ended' },
    ])
    const events = await admin<AuditPage>('GET', `/api/v1/audit/?entity=second_factor&entity_id=${user.id}`)
    expect(events.body.objects).toMatchObject([
      {
        action: 'reset',
        record: { detail: user.email },
        changes: {
          passkeys: { before: 1, after: 0 },
          sessions: { before: 1, after: 0 },
          tokens: { before: 1, after: 0 },
          password: expect.anything(),
        },
      },
    ])
    const login = (password: string) => watchdesk.anonymous('POST', '/api/v1/login', { email: user.email, password })
    expect((await login(PASSWORD)).status).toBe(401)
    const link = body.invitation?.link?.split('#')[1]
    const opened = await watchdesk.anonymous<OpenedLink>('POST', '/api/v1/login/link', { token: link })
    expect(opened.body.kind).toBe('password')
    const password = 'another staple 8'
    expect((await watchdesk.anonymous('POST', '/api/v1/login/link/password', { token: link, password })).status).toBe(
      204,
    )
    expect((await login(password)).status).toBe(200)
  })

  test.each([
    ['has a factor and a password', () => addSecondFactors(user.id), ['second_factor_reset']],
    [
      'has a passkey and no password',
      () => removePassword().then(() => addSecondFactors(user.id)),
      ['second_factor_reset'],
    ],
    ['was invited', () => removePassword().then(() => post('invite')), ['sessions_ended']],
    ['has no factor', async () => undefined, ['sessions_ended']],
  ])(
    'leaves a link that works, also if it is repeated, and claims nothing false: the user %s',
    async (_, prepare, kinds) => {
      await prepare()
      const links = [await reset(), await reset()].map(({ body }) => body.invitation?.link?.split('#')[1])
      const open = (token?: string) => watchdesk.anonymous('POST', '/api/v1/login/link', { token })
      const [first, last] = links
      expect([(await open(first)).status, (await open(last)).status]).toEqual([404, 200])
      expect(await noticesOf(user.id)).toMatchObject(kinds.map((kind) => ({ kind })))
    },
  )

  test('gives no link to users who only sign in through single sign-on', async () => {
    await removePassword()
    await watchdesk.database.pool.query(`insert into sso_accounts (issuer, subject, user_id) values ('i', 's', $1)`, [
      user.id,
    ])
    expect((await reset()).body).toEqual({ invitation: null })
  })

  test('keeps tokens and the password if the admin says so, and ends the sessions all the same', async () => {
    await addSecondFactors(user.id)
    const token = await openToken(watchdesk, user.id)
    const { body } = await reset({ end_tokens: false, require_new_password: false })
    expect(body).toEqual({ invitation: null })
    expect([await isSignedIn(them), await isSignedIn(token)]).toEqual([false, true])
    expect(await noticesOf(user.id)).toMatchObject([{ kind: 'second_factor_reset' }])
    await watchdesk.signIn(user.email)
  })

  test('leaves no way back to a thief who has a session, a token, half a sign-in or a link', async () => {
    const { secret } = await addAuthenticator(them)
    const thief = {
      session: them,
      half: await halfSignIn(watchdesk, user.email),
      token: await openToken(watchdesk, user.id),
    }
    const passkeyOptions = await thief.session('POST', '/api/v1/account/passkeys/options')
    expect(passkeyOptions.status).toBe(200)
    const invitation = await admin<Invitation>('POST', `/api/v1/users/${user.id}/invite`)
    await reset({ end_tokens: false })
    const calls = [
      thief.session('POST', '/api/v1/account/authenticator'),
      thief.half('POST', '/api/v1/login/code', { code: codeOf(secret, 1) }),
      thief.half('POST', '/api/v1/login/set_up/authenticator'),
      watchdesk.anonymous('POST', '/api/v1/login', { email: user.email, password: PASSWORD }),
    ]
    for (const { status } of await Promise.all(calls)) expect(status).toBe(401)
    const token = invitation.body.link?.split('#')[1]
    expect((await watchdesk.anonymous('POST', '/api/v1/login/link', { token })).status).toBe(404)
    // It was kept, but proves nothing.
    expect((await thief.token('POST', '/api/v1/account/authenticator')).status).toBe(403)
    expect((await thief.token('PATCH', `/api/v1/users/${user.id}`, { password: 'a thief staple 9' })).status).toBe(403)
  })

  test.each([
    ['sets up a factor', () => them('POST', '/api/v1/account/authenticator')],
    ['creates a token', () => them('POST', '/api/v1/account/tokens/', { name: 'Thief', days: 9, is_read_only: false })],
    ['signs in', () => watchdesk.anonymous('POST', '/api/v1/login', { email: user.email, password: PASSWORD })],
  ])('is not overtaken by a thief who %s meanwhile', async (_, attack) => {
    for (let round = 0; round < 5; round += 1) {
      const [{ status }] = await Promise.all([reset(), ...Array.from({ length: 4 }, attack)])
      expect(status).toBe(200)
      const { sessions, tokens } = (await read()).body
      const { rows } = await watchdesk.database.pool.query('select from authenticators where user_id = $1', [user.id])
      expect([sessions, tokens, rows]).toEqual([[], [], []])
      await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { password: PASSWORD })
      them = await watchdesk.signIn(user.email)
    }
  })

  test('needs a recent sign-in, and is not for their own account', async () => {
    await addSecondFactors(user.id)
    expect((await reset({}, them)).status).toBe(409)
    await watchdesk.database.pool.query(`update sessions set proved_at = now() - interval '16 minutes'`)
    expect((await reset()).status).toBe(401)
    await watchdesk.database.pool.query('update sessions set proved_at = now()')
    expect((await read()).body.second_factor.recovery_codes_left).toBe(2)
  })
})
