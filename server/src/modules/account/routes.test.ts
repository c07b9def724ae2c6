import type { Account, SessionInfo } from '@watchdesk/contract/account'
import type { AuditEvent } from '@watchdesk/contract/activity'
import { beforeEach, describe, expect, test } from 'vitest'
import { insertUser, openSession, openToken } from '../../../test/helpers/people.ts'
import { type Caller, caller, PASSWORD, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { hashToken } from '../../token.ts'

const watchdesk = useWatchdesk()
const NEW = 'another staple 8'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let user: { id: number; email: string }
let me: Caller
beforeEach(async () => {
  user = await watchdesk.createUser({ is_admin: true })
  me = await watchdesk.signIn(user.email)
})

const listSessions = async (call: Caller) =>
  (await call<{ objects: SessionInfo[] }>('GET', '/api/v1/account/sessions/')).body.objects
const isSignedIn = async (call: Caller) => (await call('GET', '/api/v1/account/')).status === 200
const eventsOf = async (call: Caller) =>
  (await call<{ objects: AuditEvent[] }>('GET', '/api/v1/account/events')).body.objects

/** Moves the last sign-in of a session back. */
async function forget({ token }: Caller) {
  await watchdesk.database.pool.query(
    `update sessions set proved_at = now() - interval '16 minutes' where token_hash = $1`,
    [hashToken(token)],
  )
}

describe('the account', () => {
  test('has its user, its second factors and how long sessions last', async () => {
    const { status, body, headers } = await me<Account>('GET', '/api/v1/account/')
    expect([status, headers.etag]).toEqual([200, '"1"'])
    expect(body).toMatchObject({
      id: user.id,
      email: user.email,
      has_password: true,
      has_sso: false,
      second_factor: { authenticator: null, passkeys: [], recovery_codes_left: 0, is_required: false },
      session_idle_minutes: 480,
      session_max_minutes: 1440,
    })
  })

  test('is edited by its owner, also by an auditor, who can edit nothing else', async () => {
    const { call, ...auditor } = await watchdesk.createPerson({ is_auditor: true })
    const edited = await call('PATCH', '/api/v1/account/', { first_name: 'Hanna', language: 'UK' })
    expect(edited).toMatchObject({ status: 200, body: { first_name: 'Hanna', language: 'UK', version: 2 } })
    expect((await call('PATCH', `/api/v1/users/${auditor.id}`, { first_name: 'Olena' })).status).toBe(403)
    const password = { password: NEW, current_password: PASSWORD }
    expect((await call('POST', '/api/v1/account/password', password)).status).toBe(204)
  })

  test.each(['is_super_admin', 'is_admin', 'is_auditor', 'workspace_id', 'type'])('keeps its %s', async (field) => {
    const { status } = await me('PATCH', '/api/v1/account/', { [field]: true })
    expect(status).toBe(422)
  })

  test('gets another email after a recent sign-in, and not if it was changed meanwhile', async () => {
    const email = { email: `new.${user.email}` }
    expect((await me('PATCH', '/api/v1/account/', email, { 'if-match': '"7"' })).status).toBe(412)
    expect((await me('PATCH', '/api/v1/account/', email, { 'if-match': '"1"' })).status).toBe(200)
  })

  test('cannot be read or changed with a token', async () => {
    const token = await openToken(watchdesk, user.id)
    expect((await token('GET', '/api/v1/users/')).status).toBe(200)
    expect(await token('GET', '/api/v1/account/')).toMatchObject({
      status: 403,
      body: { detail: 'A token cannot do this. Sign in to the console instead.' },
    })
  })
})

describe('a new password', () => {
  const change = (body: object, call = me) => call('POST', '/api/v1/account/password', body)

  test('ends all other sessions and unfinished sign-ins, but not if the current one is wrong', async () => {
    const other = await watchdesk.signIn(user.email)
    const { pool } = watchdesk.database
    await pool.query(
      `insert into pending_sign_ins (token_hash, kind, user_id, expires_at)
        values ('half', 'second_factor', $1, now() + interval '5 minutes')`,
      [user.id],
    )
    expect((await change({ password: NEW, current_password: 'not the password' })).status).toBe(422)
    expect((await change({ password: 'Password1', current_password: PASSWORD })).status).toBe(422)
    expect(await isSignedIn(other)).toBe(true)
    expect((await change({ password: NEW, current_password: PASSWORD })).status).toBe(204)
    expect([await isSignedIn(me), await isSignedIn(other)]).toEqual([true, false])
    expect((await pool.query('select from pending_sign_ins where user_id = $1', [user.id])).rowCount).toBe(0)
    const [event] = (await eventsOf(me)).filter(({ entity }) => entity === 'user')
    expect(event?.changes).toEqual({
      password: { before: null, after: '(changed)' },
      sessions: { before: 2, after: 1 },
    })
  })

  test('locks after ten wrong current ones', async () => {
    for (let n = 0; n < 10; n += 1) await change({ password: NEW, current_password: `wrong one ${n}` })
    expect((await change({ password: NEW, current_password: PASSWORD })).status).toBe(422)
  })

  test('needs a recent sign-in instead, for a user who has no password yet', async () => {
    await watchdesk.database.pool.query('update users set has_password = false where id = $1', [user.id])
    await forget(me)
    const refused = await change({ password: NEW })
    expect(refused.status).toBe(401)
    expect(refused.headers['www-authenticate']).toContain('insufficient_user_authentication')
    const again = await openSession(watchdesk, user.id)
    expect((await change({ password: NEW }, again)).status).toBe(204)
    expect((await again<Account>('GET', '/api/v1/account/')).body.has_password).toBe(true)
    await watchdesk.signIn(user.email, NEW)
  })
})

describe('sessions', () => {
  test('are listed with browser and system, address, and their end', async () => {
    const body = { email: user.email, password: PASSWORD }
    const signedIn = await watchdesk.anonymous('POST', '/api/v1/login', body, { 'user-agent': FIREFOX })
    const call = caller(watchdesk.app, String(signedIn.body.access_token))
    const [current, other] = await listSessions(call)
    expect(current).toMatchObject({
      device: 'Firefox on Linux',
      method: 'password',
      ip: '127.0.0.1',
      is_current: true,
    })
    expect(other).toMatchObject({ is_current: false })
    const lasts = Date.parse(current?.ends_at ?? '') - Date.parse(current?.last_seen_at ?? '')
    expect(lasts).toBe(480 * 60_000)
  })

  test('end at the earlier of both limits, and are not listed after that', async () => {
    const old = await openSession(watchdesk, user.id, { created_minutes_ago: 1430 })
    await openSession(watchdesk, user.id, { created_minutes_ago: 1441 })
    await openSession(watchdesk, user.id, { seen_minutes_ago: 481 })
    const listed = await listSessions(old)
    expect(listed).toHaveLength(2)
    const mine = listed.find(({ is_current }) => is_current)
    expect(Date.parse(mine?.ends_at ?? '') - Date.parse(mine?.created_at ?? '')).toBe(1440 * 60_000)
  })

  test('are ended one by one, or all but the current one, which is recorded with how many', async () => {
    const others = [await watchdesk.signIn(user.email), await watchdesk.signIn(user.email)]
    const [newest] = await listSessions(me)
    expect((await me('DELETE', `/api/v1/account/sessions/${newest?.id}`)).status).toBe(204)
    expect(await Promise.all(others.map(isSignedIn))).toEqual([true, false])
    expect((await me('DELETE', `/api/v1/account/sessions/${newest?.id}`)).status).toBe(404)
    expect((await me('DELETE', '/api/v1/account/sessions/')).status).toBe(204)
    expect([await isSignedIn(me), ...(await Promise.all(others.map(isSignedIn)))]).toEqual([true, false, false])
    const ends = (await eventsOf(me)).filter(({ action }) => action === 'end_sessions')
    expect(ends.map(({ changes }) => changes)).toEqual([
      { sessions: { before: 2, after: 1 } },
      { sessions: { before: 3, after: 2 } },
    ])
  })

  test('the current one ends with Logout alone, and those of others are not found', async () => {
    const [current] = await listSessions(me)
    expect(await me('DELETE', `/api/v1/account/sessions/${current?.id}`)).toMatchObject({
      status: 409,
      body: { detail: 'This is the session that you are using. Use Logout to end it.' },
    })
    const [foreign] = await listSessions(watchdesk.admin)
    expect((await me('DELETE', `/api/v1/account/sessions/${foreign?.id}`)).status).toBe(404)
    expect(await isSignedIn(watchdesk.admin)).toBe(true)
  })
})

test("the security events are those about the user's own account, newest first, at most 50", async () => {
  const { id } = await insertUser(watchdesk, { workspace_id: 1, is_admin: true })
  const { pool } = watchdesk.database
  await pool.query(
    `insert into audit_events (action, entity, entity_id, changes, at)
      select 'login', 'session', $1, '{}', now() - make_interval(mins => n) from generate_series(1, 60) as n`,
    [id],
  )
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { first_name: 'Quiet' })
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { is_admin: false, is_auditor: true })
  await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { email: 'someone.else@example.com' })
  const events = await eventsOf(await openSession(watchdesk, id))
  expect(events).toHaveLength(50)
  expect(events[0]).toMatchObject({ entity: 'user', changes: { is_auditor: { after: true } } })
  expect(events.slice(1).every(({ entity, entity_id }) => entity === 'session' && entity_id === id)).toBe(true)
  const times = events.map(({ at }) => Date.parse(at))
  expect(times).toEqual([...times].sort((one, other) => other - one))
})
