import { listAuditEvents } from '@watchdesk/contract/activity'
import { getDashboard, listDashboards } from '@watchdesk/contract/dashboards'
import { getUser, listUsers, updateUser } from '@watchdesk/contract/users'
import { getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { historyLink, openEvent, panel, quietLine } from '../history-page.ts'
import { button, field } from '../workspaces-page.ts'
import { Refusal } from './backend.ts'
import { anEvent, answerEvents, MY_NAME } from './events.ts'
import { aDashboard, aUser, aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'
import { answerConfig } from './website-config.ts'

const POLL_MS = 15_000
const VERA = { id: 8, name: 'Vera Bondar' }

test('an open form says that somebody else has saved a newer version, and shows what changed; so do the website config and a deleted dashboard; a backend without events shows no line, and is not asked again', async ({
  page,
  backend,
  open,
}) => {
  await page.clock.install()
  const asked = () => backend.calls(listAuditEvents).filter(({ query }) => query.changes_only).length
  const events = [
    anEvent({ action: 'create', version: 1, changes: {} }),
    anEvent({ entity: 'dashboard', entity_id: 5, action: 'create', version: 1, changes: {} }),
  ]
  answerEvents(backend, events)
  answerList(backend, listUsers, [aUser()], getUser)
  answerList(backend, listWorkspaces, [aWorkspace()], getWorkspace)
  await open('/users/10/edit')
  await expect(page.getByText(`Created by ${MY_NAME}`)).toBeVisible()
  await field(page, 'First name').fill('Olena')
  await expect(quietLine(page)).toHaveCount(0)
  events.unshift(anEvent({ id: 2, actor: VERA }))
  await page.clock.fastForward(POLL_MS)
  await expect(quietLine(page)).toHaveText(
    /^Vera Bondar saved a newer version today at .*\. When you save, your changes and theirs are combined\. See what changed$/,
  )
  await expect(page.getByText(`Last changed by ${VERA.name}`)).toBeVisible()
  await page.getByRole('link', { name: 'See what changed' }).click()
  await expect(panel(page).getByText(/changed the type of/)).toBeVisible()
  await page.goBack()
  await expect(field(page, 'First name')).toHaveValue('Olena')

  answerConfig(backend)
  await open('/website_config')
  await expect(button(page, 'Save')).toBeVisible()
  await expect(quietLine(page)).toHaveCount(0)
  const changes = { sources_sheet_ok: { before: '', after: 'sheet-of-another-user' } }
  events.unshift(anEvent({ id: 3, actor: VERA, entity: 'website_config', entity_id: null, changes }))
  await page.clock.fastForward(POLL_MS)
  await expect(quietLine(page)).toContainText(`${VERA.name} saved a newer version today at`)
  await historyLink(page).click()
  await openEvent(page, VERA.name)
  await expect(button(page, 'Put back OK sources')).toBeVisible()

  answerList(backend, listDashboards, [aDashboard()], getDashboard)
  await open('/dashboards/5/edit')
  await expect(page.getByText(`Created by ${MY_NAME}`)).toBeVisible()
  events.unshift(anEvent({ id: 4, actor: VERA, entity: 'dashboard', entity_id: 5, action: 'delete', changes: {} }))
  await page.clock.fastForward(POLL_MS)
  await expect(page.getByText(`${VERA.name} deleted this today at`)).toBeVisible()

  backend.answer(updateUser, aUser({ first_name: 'Olena', version: 2 }))
  const before = asked()
  backend.answer(listAuditEvents, ({ query }) =>
    query.changes_only ? new Refusal(404, 'Not Found') : { objects: [], next: null, newest: '1-1' },
  )
  await open('/users/10/edit')
  await expect(button(page, 'Save')).toBeVisible()
  await expect.poll(asked).toBe(before + 1)
  await page.clock.fastForward(POLL_MS * 2)
  await field(page, 'First name').fill('Olena')
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/users')
  expect(asked()).toBe(before + 1)
})
