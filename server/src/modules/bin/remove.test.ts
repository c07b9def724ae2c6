import { type ErrorBody, errorText } from '@watchdesk/contract/errors'
import { expect, test } from 'vitest'
import { insertUser, openSession } from '../../../test/helpers/people.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const softDelete = (path: string, id: number) => watchdesk.admin('DELETE', `/api/v1/${path}/${id}`)
const removeForGood = (kind: string, id: number, name: string, call = watchdesk.admin) =>
  call<ErrorBody>('POST', '/api/v1/bin/remove', { kind, id, name })

async function rowsOf(table: string, ids: number[], column = 'id') {
  const { rows } = await watchdesk.database.pool.query(`select from ${table} where ${column} = any($1)`, [ids])
  return rows.length
}

async function eventsOf(entity: string, ids: number[]) {
  const { rows } = await watchdesk.database.pool.query(
    `select * from audit_events where entity = $1 and entity_id = any($2) and action = 'remove' order by id`,
    [entity, ids],
  )
  return rows
}

test('a user is deleted for good only with the right name, and the event stays', async () => {
  const user = await watchdesk.createUser({ first_name: 'Vera', last_name: 'Moroz' })
  expect((await removeForGood('user', user.id, 'Vera Moroz')).status).toBe(404)
  await softDelete('users', user.id)
  const refused = await removeForGood('user', user.id, 'vera moroz')
  expect(refused.status).toBe(422)
  expect(refused.body.detail).toMatchObject([{ loc: ['body', 'name'], msg: 'Type the name exactly: Vera Moroz' }])
  expect(await rowsOf('users', [user.id])).toBe(1)
  expect((await removeForGood('user', user.id, ' Vera Moroz ')).status).toBe(204)
  expect(await rowsOf('users', [user.id])).toBe(0)
  expect(await eventsOf('user', [user.id])).toMatchObject([
    { actor_id: 1, record_name: 'Vera Moroz', record_detail: user.email, workspace_id: 1, parent_id: null },
  ])
  expect((await watchdesk.admin('POST', `/api/v1/users/${user.id}/restore`)).status).toBe(404)
})

test('a workspace goes with all users that were deleted with it and before it', async () => {
  const workspace = await watchdesk.createWorkspace({ name: 'Atlas Media' })
  const users = [
    await watchdesk.createUser({ workspace_id: workspace.id }),
    await watchdesk.createUser({ workspace_id: workspace.id }),
  ]
  const ids = users.map(({ id }) => id)
  await softDelete('users', Number(ids[0]))
  await softDelete('workspaces', workspace.id)
  expect((await removeForGood('user', Number(ids[1]), `Test ${users[1]?.last_name}`)).status).toBe(404)
  expect((await removeForGood('workspace', workspace.id, 'Atlas')).status).toBe(422)
  expect((await removeForGood('workspace', workspace.id, 'Atlas Media')).status).toBe(204)
  expect(await rowsOf('workspaces', [workspace.id])).toBe(0)
  expect(await rowsOf('users', ids)).toBe(0)
  const [event] = await eventsOf('workspace', [workspace.id])
  expect(event).toMatchObject({ record_name: 'Atlas Media', changes: { users: { before: 2, after: 0 } } })
  const parts = await eventsOf('user', ids)
  expect(parts.map(({ parent_id, entity_id }) => [parent_id, entity_id])).toEqual(ids.map((id) => [event.id, id]))
})

test('a dashboard goes with its places in workspaces, which stay', async () => {
  const id = await watchdesk.createDashboard()
  const workspace = await watchdesk.createWorkspace({ powerbi_dashboards: [id] })
  await softDelete('powerbi_dashboards', id)
  expect((await removeForGood('dashboard', id, 'Reach')).status).toBe(204)
  expect(await rowsOf('workspace_dashboards', [id], 'dashboard_id')).toBe(0)
  expect(await rowsOf('workspaces', [workspace.id])).toBe(1)
  expect(await eventsOf('dashboard', [id])).toMatchObject([{ record_name: 'Reach', workspace_id: null }])
})

test('workspace admins cannot delete for good', async () => {
  const { id } = await insertUser(watchdesk, { workspace_id: 1, is_admin: true })
  const user = await watchdesk.createUser({})
  await softDelete('users', user.id)
  const name = `Test ${user.last_name}`
  const refused = await removeForGood('user', user.id, name, await openSession(watchdesk, id))
  expect([refused.status, errorText(refused.body)]).toEqual([403, 'Only super admins can do this.'])
})

test('of a restore and a deletion for good at the same time, exactly one succeeds', async () => {
  for (let round = 0; round < 4; round += 1) {
    const workspace = await watchdesk.createWorkspace()
    const along = await watchdesk.createUser({ workspace_id: workspace.id })
    await softDelete('workspaces', workspace.id)
    const [restored, removed] = await Promise.all([
      watchdesk.admin('POST', `/api/v1/workspaces/${workspace.id}/restore`),
      removeForGood('workspace', workspace.id, workspace.name),
    ])
    expect([restored.status, removed.status].sort()).toEqual(restored.status === 200 ? [200, 404] : [204, 404])
    expect(await rowsOf('users', [along.id])).toBe(restored.status === 200 ? 1 : 0)
  }
})
