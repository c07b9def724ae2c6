import type { User } from '@watchdesk/contract/users'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { afterWaiting } from '../../../test/helpers/locks.ts'
import { insertUser, openSession } from '../../../test/helpers/people.ts'
import { ADMIN, PASSWORD, QUOTAS, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { requireSuperAdminWithout, superAdminsWithAccess } from '../../db/access.ts'

const watchdesk = useWatchdesk()

const REASON = 'Your workspace is deactivated, so you cannot sign in. Ask a super admin to activate it again.'

function signIn(email: string, password = PASSWORD) {
  return watchdesk.anonymous('POST', '/api/v1/login', { email, password })
}

function setStatus(id: number, status: Workspace['status'], call = watchdesk.admin) {
  return call('PUT', `/api/v1/workspaces/${id}`, { name: 'Customer', ...QUOTAS, status })
}

async function customer(status: Workspace['status'] = 'PAID_CLIENT') {
  const { id } = await watchdesk.createWorkspace({ name: 'Customer', status })
  const user = await watchdesk.createUser({ workspace_id: id, is_admin: true })
  return { id, user }
}

async function isSignedIn(call: Awaited<ReturnType<typeof openSession>>) {
  return (await call('GET', '/api/v1/users/me')).status === 200
}

test('users of a deactivated workspace cannot sign in: after the right password they see why, before it nothing', async () => {
  const { id, user } = await customer()
  await setStatus(id, 'DEACTIVATED')
  const right = await signIn(user.email)
  expect([right.status, right.body.detail]).toEqual([403, REASON])
  const [wrong, unknown] = [await signIn(user.email, 'wrong'), await signIn('nobody@example.com', 'wrong')]
  expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body])
  expect((await setStatus(id, 'PAID_CLIENT')).status).toBe(200)
  expect((await signIn(user.email)).status).toBe(200)
})

test('a user without admin rights sees that first', async () => {
  const { id } = await customer('DEACTIVATED')
  const { email } = await watchdesk.createUser({ workspace_id: id })
  expect((await signIn(email)).body.detail).toBe('This account may not use the console.')
})

test('all sessions of its users end at once, those of others do not', async () => {
  const { id, user } = await customer()
  const sessions = [await watchdesk.signIn(user.email), await watchdesk.signIn(user.email)]
  for (const session of sessions) expect(await isSignedIn(session)).toBe(true)
  await setStatus(id, 'DEACTIVATED')
  for (const session of sessions) expect(await isSignedIn(session)).toBe(false)
  await setStatus(id, 'PAID_CLIENT')
  for (const session of sessions) expect(await isSignedIn(session)).toBe(false)
  expect(await isSignedIn(watchdesk.admin)).toBe(true)
})

test('sessions also end when the status is put back', async () => {
  const { id, user } = await customer('DEACTIVATED')
  await setStatus(id, 'PAID_CLIENT')
  const session = await watchdesk.signIn(user.email)
  const { body } = await watchdesk.admin('GET', `/api/v1/audit/?entity=workspace&entity_id=${id}&action=update`)
  const [event] = body.objects as unknown as { id: number }[]
  const put = await watchdesk.admin('POST', `/api/v1/audit/${event?.id}/put_back`, {
    side: 'before',
    fields: ['status'],
  })
  expect(put.status).toBe(200)
  expect(await isSignedIn(session)).toBe(false)
})

test('a user who is moved into a deactivated workspace is signed out, and signs in again after moving back', async () => {
  const [closed, { id, user }] = [await customer('DEACTIVATED'), await customer()]
  const session = await watchdesk.signIn(user.email)
  const move = (workspace_id: number) => watchdesk.admin<User>('PATCH', `/api/v1/users/${user.id}`, { workspace_id })
  expect((await move(closed.id)).status).toBe(200)
  expect(await isSignedIn(session)).toBe(false)
  expect((await signIn(user.email)).body.detail).toBe(REASON)
  await move(id)
  expect((await signIn(user.email)).status).toBe(200)
})

test('a session that an earlier release left in a deactivated workspace has no access', async () => {
  const { id, user } = await customer()
  const session = await watchdesk.signIn(user.email)
  expect(await isSignedIn(session)).toBe(true)
  await watchdesk.database.pool.query(`update workspaces set status = 'DEACTIVATED' where id = $1`, [id])
  expect(await isSignedIn(session)).toBe(false)
  expect((await session('PATCH', `/api/v1/users/${user.id}`, { first_name: 'Anew' })).status).toBe(401)
})

test('nobody can deactivate their own workspace, or move into a deactivated one', async () => {
  const own = await setStatus(1, 'DEACTIVATED')
  expect([own.status, own.body.detail]).toEqual([409, 'You cannot deactivate your own workspace.'])
  const { id } = await customer('DEACTIVATED')
  const moved = await watchdesk.admin('PATCH', '/api/v1/users/1', { workspace_id: id })
  expect([moved.status, moved.body.detail]).toEqual([
    409,
    'This workspace is deactivated. You could not sign in there any more.',
  ])
  expect(await isSignedIn(watchdesk.admin)).toBe(true)
})

test('two super admins who deactivate the workspaces of each other: one stays in', async () => {
  const homes = [await customer(), await customer()]
  const people = []
  for (const { id } of homes) {
    const user = await insertUser(watchdesk, { workspace_id: id, is_super_admin: true })
    people.push(await openSession(watchdesk, user.id))
  }
  const outcomes = await Promise.all(
    people.map((person, at) => setStatus(homes[1 - at]?.id ?? 0, 'DEACTIVATED', person)),
  )
  expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 401])
  const left = await Promise.all(people.map(isSignedIn))
  expect(left.sort()).toEqual([false, true])
})

test('the workspace with the last super admin who can sign in stays active: those of deactivated ones do not count', async () => {
  const { id } = await customer('DEACTIVATED')
  await insertUser(watchdesk, { workspace_id: id, is_super_admin: true })
  await watchdesk.database.pool.query(
    'update users set is_super_admin = false where is_super_admin and id <> 1 and workspace_id <> $1',
    [id],
  )
  const deactivation = watchdesk.database.db
    .transaction()
    // Nobody can do this with a call: they would be the other super admin.
    .execute((trx) => requireSuperAdminWithout(trx, sql`users.workspace_id = 1`, 'This would leave nobody.'))
  await expect(deactivation).rejects.toThrow('This would leave nobody.')
  expect(await isSignedIn(watchdesk.admin)).toBe(true)
})

test('a super admin remains when one deactivates the workspace of another who demotes the first concurrently', async () => {
  const { id, user } = await customer()
  const { pool } = watchdesk.database
  for (let round = 0; round < 10; round += 1) {
    await pool.query('update workspaces set status = null where id = $1', [id])
    await pool.query(
      'update users set is_admin = true, is_super_admin = id in (1, $1) where is_super_admin or id in (1, $1)',
      [user.id],
    )
    const other = await openSession(watchdesk, user.id)
    const responses = await Promise.all([
      setStatus(id, 'DEACTIVATED'),
      other('PATCH', '/api/v1/users/1', { is_super_admin: false }),
    ])
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(await superAdminsWithAccess(watchdesk.database.db).execute()).toHaveLength(1)
  }
  await pool.query('update users set is_super_admin = true where id = 1')
})

test('a sign-in that waits for a deactivation gets no session', async () => {
  const { id, user } = await customer()
  const deactivate = `update workspaces set status = 'DEACTIVATED' where id = ${id}`
  const [response] = await afterWaiting(watchdesk.database.pool, deactivate, () => signIn(user.email))
  expect(response?.body.detail).toBe(REASON)
  const { rows } = await watchdesk.database.pool.query('select from sessions where user_id = $1', [user.id])
  expect(rows).toEqual([])
})

test('a deactivation that waits for a sign-in ends the new session', async () => {
  const { id, user } = await customer()
  // What a sign-in locks before it creates the session.
  const signingIn = `select from workspaces where id = ${id} for share;
    insert into sessions (token_hash, user_id) values ('\\x01', ${user.id})`
  const [response] = await afterWaiting(watchdesk.database.pool, signingIn, () => setStatus(id, 'DEACTIVATED'))
  expect(response?.status).toBe(200)
  const { rows } = await watchdesk.database.pool.query('select from sessions where user_id = $1', [user.id])
  expect(rows).toEqual([])
})

test('the first super admin can still sign in', async () => {
  expect((await signIn(ADMIN.email, ADMIN.password)).status).toBe(200)
})
