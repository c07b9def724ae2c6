import type { BulkChanged, BulkPreview } from '@watchdesk/contract/operations/changes'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expect, test } from 'vitest'
import { useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const URL = '/api/v1/powerbi_dashboards'

async function some(count: number) {
  const ids = []
  for (let n = 0; n < count; n += 1) ids.push(await watchdesk.createDashboard())
  return ids
}

const listed = async (id: number) =>
  (await watchdesk.admin<Workspace>('GET', `/api/v1/workspaces/${id}`)).body.config.powerbi_dashboards

test('many dashboards are deleted at once, and leave the lists of their workspaces', async () => {
  const ids = await some(3)
  const [first = 0, second = 0, third = 0] = ids
  const workspace = await watchdesk.createWorkspace({ powerbi_dashboards: ids })
  const wanted = { action: 'delete', ids: [first, third] }
  const { body: seen } = await watchdesk.admin<BulkPreview>('POST', `${URL}/change/preview`, wanted)
  expect(seen).toMatchObject({ count: 2, changed_count: 2, notes: ['1 workspace will no longer show them.'] })
  const { status, body } = await watchdesk.admin<BulkChanged>('POST', `${URL}/change`, {
    ...wanted,
    expected_count: 2,
    expected_changed_count: 2,
  })
  expect([status, body.changed_count]).toEqual([200, 2])
  expect(await listed(workspace.id)).toEqual([second])
  const history = await watchdesk.eventsOf(`entity=workspace&entity_id=${workspace.id}&changes_only=true`)
  const lists = history.map(({ changes }) => changes.powerbi_dashboards)
  expect(lists.slice(0, 2)).toEqual([
    { before: [second, third], after: [second] },
    { before: ids, after: [second, third] },
  ])
})
