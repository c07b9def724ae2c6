import type { WorkspaceImpact } from '@watchdesk/contract/workspaces'
import { expect, test } from 'vitest'
import { insertUser, openSession } from '../../../test/helpers/people.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

function impactOf(id: number, call = watchdesk.admin) {
  return call<WorkspaceImpact>('GET', `/api/v1/workspaces/${id}/impact`)
}

test('shows who and what belongs to a workspace, and when it was last used', async () => {
  const { id } = await watchdesk.createWorkspace({ powerbi_dashboards: [await watchdesk.createDashboard()] })
  for (const first_name of ['Ada', 'Bo', 'Cleo', 'Dee']) {
    await watchdesk.createUser({ first_name, last_name: 'Winter', workspace_id: id, is_admin: true })
  }
  const { email } = await watchdesk.createUser({ workspace_id: id, is_super_admin: true })
  const gone = await watchdesk.createUser({ workspace_id: id, is_admin: true })
  await watchdesk.createUser({ workspace_id: id })
  await watchdesk.admin('DELETE', `/api/v1/users/${gone.id}`)
  const before = new Date().toISOString()
  await watchdesk.signIn(email)
  const { body: impact } = await impactOf(id)
  expect(impact).toEqual({
    users: 6,
    admins: 5,
    admin_names: ['Ada Winter', 'Bo Winter', 'Cleo Winter'],
    dashboards: 1,
    last_activity_at: expect.any(String),
  })
  expect(String(impact.last_activity_at) >= before).toBe(true)
})

test('what others do to it is not its activity', async () => {
  const { id } = await watchdesk.createWorkspace()
  await watchdesk.createUser({ workspace_id: id, is_admin: true })
  expect((await impactOf(id)).body).toMatchObject({ users: 1, last_activity_at: null })
})

test('only super admins can read it, and only of a workspace that exists', async () => {
  const { id } = await watchdesk.createWorkspace()
  const user = await insertUser(watchdesk, { workspace_id: id, is_admin: true })
  expect((await impactOf(id, await openSession(watchdesk, user.id))).status).toBe(403)
  expect((await impactOf(999_999)).status).toBe(404)
})
