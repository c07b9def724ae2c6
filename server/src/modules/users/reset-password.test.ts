import { expect, test } from 'vitest'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { StartError } from '../../env.ts'
import { resetPassword } from './reset-password.ts'

const watchdesk = useWatchdesk()

function reset(email: string, { mayCreate = false } = {}) {
  return resetPassword(watchdesk.deps.db, watchdesk.deps.passwords, { email, mayCreate })
}

async function lastEvent() {
  const { body } = await watchdesk.admin('GET', '/api/v1/audit/?page_size=100&entity=user')
  return (body.objects as unknown as { id: number; action: string }[]).reduce((a, b) => (a.id > b.id ? a : b))
}

test('the new password works, the old one and all sessions end, and the audit log has a system event', async () => {
  const { id, email } = await watchdesk.createUser({ is_admin: true })
  const sessions = [await watchdesk.signIn(email), await watchdesk.signIn(email)]
  const { password, endedSessions, isNew } = await reset(email.toUpperCase())
  expect([endedSessions, isNew]).toEqual([2, false])
  for (const session of sessions) expect((await session('GET', '/api/v1/users/me')).status).toBe(401)
  await expect(watchdesk.signIn(email)).rejects.toThrow('Wrong email or password.')
  expect((await (await watchdesk.signIn(email, password))('GET', '/api/v1/users/me')).body.id).toBe(id)
  expect(await lastEvent()).toMatchObject({
    action: 'update',
    actor: { id: null, name: 'npm run reset-password' },
    entity_id: id,
    changes: { password: { before: null, after: '(changed)' } },
  })
  expect(JSON.stringify(await lastEvent())).not.toContain(password)
})

test('an email that is locked after too many wrong passwords is unlocked', async () => {
  const { email } = await watchdesk.createUser({ is_admin: true })
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await watchdesk.anonymous('POST', '/api/v1/login', { email, password: 'wrong' })
  }
  const { password } = await reset(email)
  await watchdesk.signIn(email, password)
})

test('a super admin of a deactivated workspace gets in again: it is activated, which is recorded', async () => {
  const { id: workspace_id } = await watchdesk.createWorkspace({ name: 'Closed', status: 'DEACTIVATED' })
  const { email } = await watchdesk.createUser({ workspace_id, is_super_admin: true })
  const { password, activatedWorkspace } = await reset(email)
  expect(activatedWorkspace).toBe('Closed')
  const call = await watchdesk.signIn(email, password)
  expect((await call('GET', `/api/v1/workspaces/${workspace_id}`)).body).toMatchObject({ status: null, version: 2 })
  const { body } = await call('GET', `/api/v1/audit/?entity=workspace&entity_id=${workspace_id}`)
  expect((body.objects as unknown as object[])[0]).toMatchObject({
    action: 'update',
    actor: { id: null, name: 'npm run reset-password' },
    changes: { status: { before: 'DEACTIVATED', after: null } },
  })
})

test('the workspace of another user stays deactivated, and the command says so', async () => {
  const { id: workspace_id } = await watchdesk.createWorkspace({ name: 'Closed', status: 'DEACTIVATED' })
  const { email } = await watchdesk.createUser({ workspace_id, is_admin: true })
  const { password, ...outcome } = await reset(email)
  expect(outcome).toMatchObject({ deactivatedWorkspace: 'Closed' })
  await expect(watchdesk.signIn(email, password)).rejects.toThrow('Your workspace is deactivated')
})

test('a new super admin is not created in a deactivated workspace', async () => {
  const { pool } = watchdesk.database
  await pool.query(`update workspaces set status = 'DEACTIVATED' where id = 1`)
  const { id: workspace_id } = await watchdesk.deps.db
    .selectFrom('workspaces')
    .select('id')
    .where('status', 'is', null)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const { id } = await reset('rescue.elsewhere@example.com', { mayCreate: true })
  await pool.query(`update workspaces set status = 'INTERNAL' where id = 1`)
  expect((await watchdesk.admin('GET', `/api/v1/users/${id}`)).body).toMatchObject({ workspace_id })
})

test('an unknown email fails with a one-line error, and creates a super admin only with --create', async () => {
  const email = 'rescue@example.com'
  const refused = reset(email)
  await expect(refused).rejects.toBeInstanceOf(StartError)
  await expect(refused).rejects.toThrow(
    'No user has the email rescue@example.com. To create a super admin: npm run reset-password -- --create rescue@example.com',
  )
  const { id, password, isNew } = await reset(email, { mayCreate: true })
  expect(isNew).toBe(true)
  const { body } = await (await watchdesk.signIn(email, password))('GET', '/api/v1/users/me')
  expect(body).toMatchObject({ id, is_super_admin: true, workspace_id: 1 })
  expect(await lastEvent()).toMatchObject({
    action: 'create',
    actor: { id: null, name: 'npm run reset-password' },
    entity_id: id,
  })
})

test('with --create, an existing user keeps its rights', async () => {
  const { id, email } = await watchdesk.createUser({ is_admin: true })
  const { isNew } = await reset(email, { mayCreate: true })
  expect(isNew).toBe(false)
  expect((await watchdesk.admin('GET', `/api/v1/users/${id}`)).body).toMatchObject({ is_super_admin: false })
})

test.each(['not an email', 'a'.repeat(300), "x'@example.com; drop table users"])('%s creates nobody', async (email) => {
  await expect(reset(email, { mayCreate: true })).rejects.toBeInstanceOf(StartError)
})

test('links and half-finished sign-ins end, an invited user has a password, and a second factor is reported', async () => {
  const { id, email } = await watchdesk.createUser({ is_admin: true })
  const { pool } = watchdesk.database
  await pool.query('update users set has_password = false where id = $1', [id])
  expect((await watchdesk.admin('POST', `/api/v1/users/${id}/invite`)).status).toBe(200)
  expect((await reset(email)).hasSecondFactor).toBe(false)
  expect((await pool.query('select from one_time_links where user_id = $1', [id])).rowCount).toBe(0)
  expect((await pool.query('select has_password from users where id = $1', [id])).rows).toEqual([
    { has_password: true },
  ])
  await pool.query(`insert into authenticators (user_id, secret) values ($1, '\\x01')`, [id])
  expect((await reset(email)).hasSecondFactor).toBe(true)
})
