import { previewPutBack } from '@watchdesk/contract/activity'
import { getUser, listUsers } from '@watchdesk/contract/users'
import { getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { historyLink, openEvent, panel } from '../history-page.ts'
import { button } from '../workspaces-page.ts'
import { anEvent, answerEvents } from './events.ts'
import { aUser, aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'

test('on a phone the history fills the screen', async ({ page, backend, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  answerList(backend, listWorkspaces, [aWorkspace()], getWorkspace)
  answerList(backend, listUsers, [aUser({ type: 'MODERATOR', version: 2 })], getUser)
  answerEvents(backend, [anEvent()])
  backend.answer(previewPutBack, {
    ...{ entity: 'user', entity_id: 10, version: 2 },
    fields: [{ field: 'type', current: 'MODERATOR', earlier: 'STANDARD', note: null, problem: null }],
  })
  await open('/users/10/edit')
  await historyLink(page).click()
  await expect.poll(async () => (await panel(page).boundingBox())?.width).toBe(390)
  await openEvent(page, 'changed the type')
  await button(page, 'Put back Type').click()
  await expect(button(page, 'Put back')).toBeInViewport({ ratio: 1 })
})
