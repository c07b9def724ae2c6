import { expect, test } from 'vitest'
import { afterWaiting } from '../../../test/helpers/locks.ts'
import { insertUser } from '../../../test/helpers/people.ts'
import { QUOTAS, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

async function versionsOf(entity: string, id: number) {
  const events = await watchdesk.eventsOf(`entity=${entity}&entity_id=${id}&changes_only=true`)
  return events.map(({ version }) => version)
}

test('a workspace that drops a dashboard while it is deleted has an event for each version', async () => {
  const { admin, database } = watchdesk
  const dashboard = await watchdesk.createDashboard()
  const { id } = await watchdesk.createWorkspace({ powerbi_dashboards: [dashboard] })
  const answers = await afterWaiting(
    database.pool,
    `select from workspaces where id = ${id} for update`,
    () => admin('PUT', `/api/v1/workspaces/${id}`, { name: 'A', ...QUOTAS, powerbi_dashboards: [] }),
    () => admin('DELETE', `/api/v1/powerbi_dashboards/${dashboard}`),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 204])
  const { version } = (await admin<{ version: number }>('GET', `/api/v1/workspaces/${id}`)).body
  expect([version, await versionsOf('workspace', id)]).toEqual([2, [2, 1]])
})

test('a user who is moved to a workspace while it is deleted is deleted with it, once', async () => {
  const { admin, database } = watchdesk
  const { id: home } = await watchdesk.createWorkspace({})
  const { id: inside } = await insertUser(watchdesk, { workspace_id: home })
  const { id } = await watchdesk.createUser({})
  const answers = await afterWaiting(
    database.pool,
    `select from users where id = ${inside} for update`,
    () => admin('DELETE', `/api/v1/workspaces/${home}`),
    async () => {
      expect((await admin('PATCH', `/api/v1/users/${id}`, { workspace_id: home })).status).toBe(200)
      return admin('PATCH', `/api/v1/users/${inside}`, { language: 'UK' })
    },
  )
  expect(answers.map(({ status }) => status)).toEqual([204, 404])
  const { rows } = await database.pool.query('select version, deleted_with_workspace from users where id = $1', [id])
  expect(rows).toEqual([{ version: 3, deleted_with_workspace: true }])
  expect(await versionsOf('user', id)).toEqual([3, 2, 1])
  const [event] = await watchdesk.eventsOf(`entity=workspace&entity_id=${home}&action=delete`)
  expect(event).toMatchObject({ parts: 2, changes: { users: { before: 2, after: 0 } } })
})
