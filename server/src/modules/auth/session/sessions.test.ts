import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ADMIN, type Caller, caller, PASSWORD, startAnother, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const me = (call: Caller) => call('GET', '/api/v1/users/me')

function hashOf({ token }: Caller) {
  return createHash('sha256').update(token).digest()
}

/** Moves a session into the past. */
async function age(call: Caller, column: 'created_at' | 'last_seen_at', interval: string) {
  await watchdesk.database.pool.query(
    `update sessions set ${column} = ${column} - $1::interval where token_hash = $2`,
    [interval, hashOf(call)],
  )
}

async function lastSeen(call: Caller): Promise<Date> {
  const { rows } = await watchdesk.database.pool.query('select last_seen_at from sessions where token_hash = $1', [
    hashOf(call),
  ])
  return rows[0].last_seen_at
}

async function workspaceAdmin() {
  const workspace = await watchdesk.createWorkspace()
  const user = await watchdesk.createUser({ is_admin: true, workspace_id: workspace.id })
  return { user, workspace, call: await watchdesk.signIn(user.email) }
}

test('a session ends after 8 hours without a call', async () => {
  const call = await watchdesk.signIn(ADMIN.email, ADMIN.password)
  await age(call, 'last_seen_at', '7 hours 59 minutes')
  expect((await me(call)).status).toBe(200)
  await age(call, 'last_seen_at', '8 hours')
  const ended = await me(call)
  expect([ended.status, ended.body]).toEqual([
    401,
    { detail: 'You are not signed in, or your session has ended. Sign in again.' },
  ])
})

test('a session ends 24 hours after it started, even if it is in use', async () => {
  const call = await watchdesk.signIn(ADMIN.email, ADMIN.password)
  await age(call, 'created_at', '23 hours 59 minutes')
  expect((await me(call)).status).toBe(200)
  await age(call, 'created_at', '1 minute')
  expect((await me(call)).status).toBe(401)
})

test('the time of the last call is saved at most once a minute', async () => {
  const call = await watchdesk.signIn(ADMIN.email, ADMIN.password)
  await age(call, 'last_seen_at', '50 seconds')
  const before = await lastSeen(call)
  await me(call)
  expect(await lastSeen(call)).toEqual(before)
  await age(call, 'last_seen_at', '20 seconds')
  await me(call)
  const moved = await lastSeen(call)
  expect(moved.getTime() - before.getTime()).toBeGreaterThan(49_000)
  await me(call)
  expect(await lastSeen(call)).toEqual(moved)
})

test('calls that the console repeats by itself do not keep an idle session alive', async () => {
  const call = await watchdesk.signIn(ADMIN.email, ADMIN.password)
  await age(call, 'last_seen_at', '2 hours')
  const before = await lastSeen(call)
  for (const path of ['?page_size=1', 'new?after=0-0'])
    expect((await call('GET', `/api/v1/audit/${path}`)).status).toBe(200)
  expect(await lastSeen(call)).toEqual(before)
  await me(call)
  expect((await lastSeen(call)).getTime()).toBeGreaterThan(before.getTime())
})

test('a session with an idle timeout of one minute lasts as long as there are calls', async () => {
  const { app } = await startAnother(watchdesk, { env: { SESSION_IDLE_MINUTES: 1 } })
  const call = caller(app, (await watchdesk.signIn(ADMIN.email, ADMIN.password)).token)
  for (let times = 0; times < 3; times++) {
    await age(call, 'last_seen_at', '40 seconds')
    expect((await me(call)).status).toBe(200)
  }
  await age(call, 'last_seen_at', '1 minute')
  expect((await me(call)).status).toBe(401)
})

test('logging out ends this session immediately, and no other session of the same user', async () => {
  const here = await watchdesk.signIn(ADMIN.email, ADMIN.password)
  const elsewhere = await watchdesk.signIn(ADMIN.email, ADMIN.password)
  expect((await here('POST', '/api/v1/logout')).status).toBe(204)
  expect((await me(here)).status).toBe(401)
  expect((await me(elsewhere)).status).toBe(200)
})

test('logging out twice is harmless, sequentially and concurrently', async () => {
  const first = await watchdesk.signIn(ADMIN.email, ADMIN.password)
  expect((await first('POST', '/api/v1/logout')).status).toBe(204)
  expect((await first('POST', '/api/v1/logout')).status).toBe(401)

  const second = await watchdesk.signIn(ADMIN.email, ADMIN.password)
  const responses = await Promise.all(Array.from({ length: 5 }, () => second('POST', '/api/v1/logout')))
  expect(responses.map(({ status }) => status).filter((status) => status !== 204 && status !== 401)).toEqual([])
  expect((await me(second)).status).toBe(401)
  expect((await me(watchdesk.admin)).status).toBe(200)
})

test.each([
  ['a new password', 'PATCH', { password: 'another staple 8' }],
  ['the loss of access', 'PATCH', { is_admin: false }],
  ['deletion', 'DELETE', undefined],
] as const)('%s ends all sessions of the user with the next call', async (_what, method, body) => {
  const { user, call } = await workspaceAdmin()
  const other = await watchdesk.signIn(user.email)
  expect((await watchdesk.admin(method, `/api/v1/users/${user.id}`, body)).status).toBeLessThan(300)
  expect([(await me(call)).status, (await me(other)).status]).toEqual([401, 401])
})

test('sessions revoked with the access stay revoked when access is granted again', async () => {
  const { user, call } = await workspaceAdmin()
  for (const is_admin of [false, true]) await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { is_admin })
  expect((await me(call)).status).toBe(401)
})

test('deleting a workspace ends the sessions of its users, and restoring it does not bring them back', async () => {
  const { workspace, call } = await workspaceAdmin()
  await watchdesk.admin('DELETE', `/api/v1/workspaces/${workspace.id}`)
  expect((await me(call)).status).toBe(401)
  await watchdesk.admin('POST', `/api/v1/workspaces/${workspace.id}/restore`)
  expect((await me(call)).status).toBe(401)
})

test('a super admin who becomes a workspace admin has only those rights from the next call on', async () => {
  const { call, ...user } = await watchdesk.createPerson({ is_admin: true, is_super_admin: true })
  expect((await call('GET', '/api/v1/powerbi_dashboards/')).status).toBe(200)
  await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { is_super_admin: false })
  expect((await call('GET', '/api/v1/powerbi_dashboards/')).status).toBe(403)
})

test.each([
  ['a logout', (_id: number, call: Caller) => call('POST', '/api/v1/logout')],
  ['a new password', (id: number) => watchdesk.admin('PATCH', `/api/v1/users/${id}`, { password: 'another staple 8' })],
] as const)('after %s with 50 calls in flight no later call succeeds', async (_what, revoke) => {
  const { user, call } = await workspaceAdmin()
  let revoked = false
  const responses: { status: number; sentAfter: boolean }[] = []
  const stream = Array.from({ length: 50 }, async () => {
    for (let round = 0; round < 100; round++) {
      const sentAfter = revoked
      responses.push({ status: (await me(call)).status, sentAfter })
      if (sentAfter) return
    }
  })
  expect((await revoke(user.id, call)).status).toBeLessThan(300)
  revoked = true
  await Promise.all(stream)
  const later = responses.filter(({ sentAfter }) => sentAfter)
  expect(later).toHaveLength(50)
  expect(later.filter(({ status }) => status !== 401)).toEqual([])
})

test.each([
  ['a new password', 'PATCH', { password: 'another staple 8' }],
  ['a deletion', 'DELETE', undefined],
  ['a loss of access', 'PATCH', { is_admin: false }],
] as const)('a sign-in whose password was checked just before %s opens no session', async (_what, method, body) => {
  const { deps, admin, createUser } = watchdesk
  const user = await createUser({ is_admin: true })
  const verify: typeof deps.passwords.verify = async (...given) => {
    const isRight = await deps.passwords.verify(...given)
    await admin(method, `/api/v1/users/${user.id}`, body)
    return isRight
  }
  const slow = await startAnother(watchdesk, { passwords: { ...deps.passwords, verify } })
  const response = await slow.anonymous('POST', '/api/v1/login', { email: user.email, password: PASSWORD })
  expect([response.status, response.body]).toEqual([401, { detail: 'Wrong email or password.' }])
})
