import { listAuditEvents } from '@watchdesk/contract/activity'
import { getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { historyLink } from '../history-page.ts'
import { field } from '../workspaces-page.ts'
import { anEvent, answerEvents } from './events.ts'
import { aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'

test('nothing moves when the line has loaded', async ({ page, backend, open }) => {
  answerList(backend, listWorkspaces, [aWorkspace()], getWorkspace)
  answerEvents(backend, [anEvent({ entity: 'workspace', entity_id: 1 })])
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const release = backend.hold(listAuditEvents)
    await open('/workspaces/1/edit')
    const before = await field(page, 'Name').boundingBox()
    release()
    await expect(historyLink(page)).toBeVisible()
    expect(await field(page, 'Name').boundingBox()).toEqual(before)
  }
})
