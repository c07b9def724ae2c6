import { errorText } from '@watchdesk/contract/errors'
import type { Page } from '@watchdesk/contract/page'
import type { User } from '@watchdesk/contract/users'
import { expect, inject, test } from 'vitest'
import { afterWaiting } from '../../../test/helpers/locks.ts'
import { startWatchdesk, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { connect } from '../../db/open.ts'

const watchdesk = useWatchdesk()

const remove = (id: number, headers = {}) => watchdesk.admin('DELETE', `/api/v1/workspaces/${id}`, undefined, headers)
const restore = (id: number) => watchdesk.admin('POST', `/api/v1/workspaces/${id}/restore`)

async function usersOf(id: number) {
  const { body } = await watchdesk.admin<Page<User>>('GET', `/api/v1/users/?workspace_ids=${id}`)
  return body.objects.map((user) => user.id)
}

async function total(list: 'users' | 'workspaces') {
  return (await watchdesk.admin<Page<unknown>>('GET', `/api/v1/${list}/?page_size=1`)).body.total
}

async function workspaceWith(users: number) {
  const workspace = await watchdesk.createWorkspace()
  const created = await Promise.all(
    Array.from({ length: users }, () => watchdesk.createUser({ workspace_id: workspace.id })),
  )
  return { ...workspace, users: created.sort((a, b) => a.id - b.id) }
}

test('a deleted workspace is gone with its users, and a restore brings back exactly those', async () => {
  const workspace = await workspaceWith(3)
  const [early, ...others] = workspace.users.map((user) => user.id)
  await watchdesk.admin('DELETE', `/api/v1/users/${early}`)
  const before = { users: await total('users'), workspaces: await total('workspaces') }

  expect((await remove(workspace.id)).status).toBe(204)
  expect((await watchdesk.admin('GET', `/api/v1/workspaces/${workspace.id}`)).status).toBe(404)
  expect((await remove(workspace.id)).status).toBe(404)
  expect(await usersOf(workspace.id)).toEqual([])
  expect((await watchdesk.admin('GET', `/api/v1/users/${others[0]}`)).status).toBe(404)
  expect({ users: await total('users'), workspaces: await total('workspaces') }).toEqual({
    users: before.users - 2,
    workspaces: before.workspaces - 1,
  })

  const restored = await restore(workspace.id)
  expect(restored.status).toBe(200)
  expect(restored.body).toMatchObject({ id: workspace.id, name: workspace.name, version: 3 })
  expect(await usersOf(workspace.id)).toEqual(others)
  expect({ users: await total('users'), workspaces: await total('workspaces') }).toEqual(before)
  expect((await restore(workspace.id)).status).toBe(404)
})

test('no user can be put into a deleted workspace', async () => {
  const workspace = await workspaceWith(0)
  const user = await watchdesk.createUser({})
  await remove(workspace.id)
  const moved = await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { workspace_id: workspace.id })
  expect([moved.status, errorText(moved.body)]).toEqual([422, `Workspace ${workspace.id} does not exist.`])
})

test('users cannot delete their own workspace', async () => {
  const other = await watchdesk.createWorkspace()
  await watchdesk.createUser({ workspace_id: other.id, is_super_admin: true })
  const response = await remove(1)
  expect([response.status, errorText(response.body)]).toEqual([409, 'You cannot delete your own workspace.'])
})

test('a super admin remains when one deletes the workspace of another who demotes the first concurrently', async () => {
  const { id, users } = await workspaceWith(1)
  const other = Number(users[0]?.id)
  const { pool } = watchdesk.database
  for (let round = 0; round < 20; round++) {
    await pool.query('update workspaces set deleted_at = null where id = $1', [id])
    await pool.query(
      `update users set deleted_at = null, deleted_with_workspace = false, is_admin = true, is_super_admin = id in (1, $1)
       where is_super_admin or id in (1, $1)`,
      [other],
    )
    const call = await watchdesk.signIn(String(users[0]?.email))
    const responses = await Promise.all([remove(id), call('PATCH', '/api/v1/users/1', { is_super_admin: false })])
    const { rows } = await pool.query('select id from users where is_super_admin and deleted_at is null')
    expect(rows).toHaveLength(1)
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(1)
    const refusal = errorText(responses.find(({ status }) => status >= 300)?.body)
    expect([
      'This workspace contains the last super admin, so it cannot be deleted.',
      'This is the last super admin. Make another user a super admin first.',
      'Only super admins can do this.',
      'Your access has changed, so nothing was saved. Reload the page.',
      'You are not signed in, or your session has ended. Sign in again.',
    ]).toContain(refusal)
  }
  await pool.query('update users set is_super_admin = true where id = 1')
})

test('a stale version is not deleted', async () => {
  const workspace = await workspaceWith(1)
  const stale = await remove(workspace.id, { 'if-match': '"7"' })
  expect(stale.status).toBe(412)
  expect(await usersOf(workspace.id)).toHaveLength(1)
  expect((await remove(workspace.id, { 'if-match': '"1"' })).status).toBe(204)
})

test('a restore with an email that is in use by now is 409, and nothing is restored', async () => {
  const workspace = await workspaceWith(3)
  await remove(workspace.id)
  const email = String(workspace.users[1]?.email)
  const thief = await watchdesk.createUser({ email: email.toUpperCase() })
  const before = { users: await total('users'), workspaces: await total('workspaces') }

  const refused = await restore(workspace.id)
  expect(refused.status).toBe(409)
  expect(errorText(refused.body)).toBe('Another user now has the email of one of its users.')
  expect((await watchdesk.admin('GET', `/api/v1/workspaces/${workspace.id}`)).status).toBe(404)
  expect(await usersOf(workspace.id)).toEqual([])
  expect({ users: await total('users'), workspaces: await total('workspaces') }).toEqual(before)

  await watchdesk.admin('DELETE', `/api/v1/users/${thief.id}`)
  expect((await restore(workspace.id)).status).toBe(200)
  expect(await usersOf(workspace.id)).toEqual(workspace.users.map((user) => user.id))
})

test('users created while their workspace is being deleted are either rejected or deleted with it', async () => {
  for (let round = 0; round < 5; round++) {
    const workspace = await watchdesk.createWorkspace()
    const creations = Array.from({ length: 6 }, () =>
      watchdesk.createUser({ workspace_id: workspace.id }).catch((error: Error) => error.message),
    )
    await creations[0]
    expect((await remove(workspace.id)).status).toBe(204)
    await Promise.all(creations)
    const { rows } = await watchdesk.database.pool.query(
      'select from users where workspace_id = $1 and deleted_at is null',
      [workspace.id],
    )
    expect(rows).toHaveLength(0)
  }
})

test('restoring a user while the workspace is being deleted waits for the deletion, and never blocks it', async () => {
  const { id, users } = await workspaceWith(1)
  const user = Number(users[0]?.id)
  await watchdesk.admin('DELETE', `/api/v1/users/${user}`)
  const [deleted, restored] = await afterWaiting(
    watchdesk.database.pool,
    // The deletion has reached its audit event, with the workspace locked.
    'lock table audit_events in share mode',
    () => remove(id),
    () => watchdesk.admin('POST', `/api/v1/users/${user}/restore`),
  )
  expect(deleted?.status).toBe(204)
  expect(errorText(restored?.body)).toBe('Their workspace is deleted. Restore the workspace first.')
})

test('deleting and restoring a workspace with very many users may exceed the statement timeout', async () => {
  const { database } = (await watchdesk.database.pool.query('select current_database() as database')).rows[0]
  const hasty = connect({ ...inject('postgres'), database }, { DATABASE_POOL_SIZE: 4, STATEMENT_TIMEOUT_MS: 1000 })
  const { watchdesk: server, stop } = await startWatchdesk({}, { database: hasty })
  const { id } = await workspaceWith(1)
  await hasty.pool.query(`create function take_time() returns trigger language plpgsql as
    $$ begin perform pg_sleep(1.2); return null; end $$;
    create trigger take_time before update on users for each statement execute function take_time()`)
  try {
    expect((await server.admin('DELETE', `/api/v1/workspaces/${id}`)).status).toBe(204)
    expect((await server.admin('POST', `/api/v1/workspaces/${id}/restore`)).status).toBe(200)
    expect(await usersOf(id)).toHaveLength(1)
  } finally {
    await hasty.pool.query('drop function take_time cascade')
    await stop()
  }
})
