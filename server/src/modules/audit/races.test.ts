import type { AuditPage } from '@watchdesk/contract/audit'
import { expect, test } from 'vitest'
import { waitForLocks } from '../../../test/helpers/locks.ts'
import { insertUser } from '../../../test/helpers/people.ts'
import { QUOTAS, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

async function versionsOf(entity: string, id: number) {
  const url = `/api/v1/audit/?entity=${entity}&entity_id=${id}&changes_only=true`
  return (await watchdesk.admin<AuditPage>('GET', url)).body.objects.map(({ version }) => version)
}

/** Locks a row, starts the calls one after the other, and lets them go when all wait. */
async function whileLocked(table: string, id: number, calls: (() => Promise<{ status: number }>)[]) {
  const { pool } = watchdesk.database
  const client = await pool.connect()
  await client.query('begin')
  await client.query(`select from ${table} where id = $1 for update`, [id])
  const started = []
  for (const call of calls) {
    started.push(call())
    await waitForLocks(pool, started.length)
  }
  await client.query('commit')
  client.release()
  return (await Promise.all(started)).map(({ status }) => status)
}

test('a workspace that drops a dashboard while it is deleted has an event for each version', async () => {
  const { admin } = watchdesk
  const { id: dashboard } = (
    await admin<{ id: number }>('POST', '/api/v1/powerbi_dashboards/', { name: 'A', embed_link: 'https://a.example' })
  ).body
  const { id } = await watchdesk.createWorkspace({ powerbi_dashboards: [dashboard] })
  const statuses = await whileLocked('workspaces', id, [
    () => admin('PUT', `/api/v1/workspaces/${id}`, { name: 'A', ...QUOTAS, powerbi_dashboards: [] }),
    () => admin('DELETE', `/api/v1/powerbi_dashboards/${dashboard}`),
  ])
  expect(statuses).toEqual([200, 204])
  const { version } = (await admin<{ version: number }>('GET', `/api/v1/workspaces/${id}`)).body
  expect([version, await versionsOf('workspace', id)]).toEqual([2, [2, 1]])
})

test('a user who is moved to a workspace while it is deleted is deleted with it, once', async () => {
  const { admin, database } = watchdesk
  const { id: home } = await watchdesk.createWorkspace({})
  const { id: inside } = await insertUser(watchdesk, { workspace_id: home })
  const { id } = await watchdesk.createUser({})
  const statuses = await whileLocked('users', inside, [
    () => admin('DELETE', `/api/v1/workspaces/${home}`),
    async () => {
      expect((await admin('PATCH', `/api/v1/users/${id}`, { workspace_id: home })).status).toBe(200)
      return admin('PATCH', `/api/v1/users/${inside}`, { language: 'UK' })
    },
  ])
  expect(statuses).toEqual([204, 404])
  const { rows } = await database.pool.query('select version, deleted_with_workspace from users where id = $1', [id])
  expect(rows).toEqual([{ version: 3, deleted_with_workspace: true }])
  expect(await versionsOf('user', id)).toEqual([3, 2, 1])
  const url = `/api/v1/audit/?entity=workspace&entity_id=${home}&action=delete`
  const [event] = (await admin<AuditPage>('GET', url)).body.objects
  expect(event).toMatchObject({ parts: 2, changes: { users: { before: 2, after: 0 } } })
})
