import { countNewEvents, downloadAuditEvents, getAuditEvent, listAuditEvents } from '@watchdesk/contract/audit'
import { getUser, listUsers } from '@watchdesk/contract/users'
import { getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { expectAccessible } from '../accessible.ts'
import { changes, chips, details, lines, searchBox } from '../activity-page.ts'
import { button, choose, select } from '../workspaces-page.ts'
import { anEvent, answerEvents, MY_NAME } from './events.ts'
import { aUser, aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'

const POLL_MS = 10_000
const PHONE = { width: 390, height: 844 }
const BALTIC = { name: 'Baltic', detail: null, state: 'live', current_name: 'Baltic' } as const
const CREATED_WORKSPACE = anEvent({
  action: 'create',
  entity: 'workspace',
  entity_id: 1,
  record: BALTIC,
  changes: { name: { before: null, after: 'Baltic' } },
})
const CREATED_USER = anEvent({ id: 2, action: 'create', changes: { first_name: { before: null, after: 'Iryna' } } })
const SIGNED_IN = anEvent({
  id: 3,
  actor: { id: 10, name: 'Iryna Shevchuk' },
  action: 'login',
  entity: 'session',
  version: null,
  changes: {},
})

test.beforeEach(({ backend }) => {
  backend.answer(countNewEvents, { count: 0 })
  answerList(backend, listUsers, [aUser()], getUser)
  answerList(backend, listWorkspaces, [aWorkspace()], getWorkspace)
  answerEvents(backend, [SIGNED_IN, CREATED_USER, CREATED_WORKSPACE])
})

test('events are filtered by a person, from one day to another, and by what an event shows', async ({ page, open }) => {
  await open('/activity')
  await select(page, 'Person').fill('Shevchuk')
  await page.getByRole('option', { name: 'Shevchuk' }).click()
  await expect(page).toHaveURL('/activity?actor_id=10')
  await expect(lines(page)).toHaveText(['Iryna Shevchuk signed in'])
  await choose(page, 'Time', 'Custom range…')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await expect(page).toHaveURL(/to=2020-01-31/)
  await expect(page.getByRole('main')).toContainText('No events match.')
  await page.reload()
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2020-01-31')

  await open('/activity?search=Shevchuk&action=create')
  await details(page, /created the user/).click()
  await page.getByRole('listitem').getByRole('link', { name: 'All its activity' }).last().click()
  await expect(page).toHaveURL('/activity?entity=user&entity_id=10')
  await expect(chips(page)).toHaveText(['User Iryna Shevchuk'])
  await chips(page).getByRole('button').click()
  await expect(page).toHaveURL('/activity')
})

test('new events are counted, and appear when the button is pressed', async ({ page, backend, open }) => {
  await page.clock.install()
  const events = [CREATED_USER, CREATED_WORKSPACE]
  answerEvents(backend, events)
  await open('/activity?workspace_id=1')
  await expect(lines(page)).toHaveCount(2)
  events.unshift(anEvent({ id: 3, changes: { language: { before: '', after: 'UK' } } }))
  backend.answer(countNewEvents, { count: 1 })
  await page.clock.fastForward(POLL_MS)
  const more = button(page, '1 new')
  await expect(more).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '1 new event' })).toBeAttached()
  await expect(lines(page)).toHaveCount(2)
  expect(backend.calls(countNewEvents)[0]?.query).toEqual({ workspace_id: '1', after: '1-2' })
  await more.click()
  await expect(lines(page).first()).toHaveText(`${MY_NAME} changed the language of Iryna Shevchuk`)
  await expect(lines(page)).toHaveCount(3)
  await expect(more).toHaveCount(0)
})

test('a search needs three letters, and a person is chosen with Enter', async ({ page, backend, open }) => {
  answerList(backend, listUsers, [aUser({ id: 11, first_name: 'Zlata', last_name: 'Bondar' })], getUser)
  await open('/activity')
  await searchBox(page).fill('zl')
  await expect(page.getByRole('main')).toContainText('Enter at least three letters or digits to search.')
  await searchBox(page).fill('')
  await select(page, 'Person').click()
  await page.keyboard.type('Bondar')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/activity?actor_id=11')
  await expect(page.getByRole('main')).toContainText('No events match.')
})

test('a filter that is chosen offline does not show events of another one', async ({ page, context, open }) => {
  // The page loads what watches jobs last, and nothing waits for it.
  const watching = page.waitForResponse(/\/api\/v1\/jobs\//)
  await open('/activity')
  await expect(lines(page).first()).toBeVisible()
  await watching
  await context.setOffline(true)
  await choose(page, 'Action', 'Restored')
  await expect(page.getByRole('main')).toContainText('You are offline.')
  await expect(lines(page)).toHaveCount(0)
  await context.setOffline(false)
  await expect(page.getByRole('main')).not.toContainText('You are offline.')
})

test('the list is used without a mouse, to its end', async ({ page, backend, open }) => {
  const renamed = Array.from({ length: 55 }, (_, index) =>
    anEvent({ id: index + 2, changes: { first_name: { before: `N${index - 1}`, after: `N${index}` } } }),
  )
  answerEvents(backend, [...renamed.reverse(), CREATED_WORKSPACE])
  // A short page at the top, so that the next one does not load by itself.
  await page.setViewportSize({ width: 1440, height: 400 })
  await open('/activity')
  await expect(lines(page)).toHaveCount(50)
  await details(page, /changed the first name/)
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await expect(changes(page)).toContainText('First nameN53N54')
  await page.keyboard.press('Enter')
  await expect(changes(page)).toHaveCount(0)
  await button(page, 'Show more').focus()
  await page.keyboard.press('Enter')
  await expect(lines(page)).toHaveCount(56)
  await expect(button(page, 'Show more')).toHaveCount(0)
})

test('on a phone the filters are in a sheet, and those that are on are listed', async ({ page, backend, open }) => {
  await page.setViewportSize(PHONE)
  await open('/activity?workspace_id=1&time=7d')
  await expect(lines(page)).toHaveCount(3)
  const asked = backend.calls(listAuditEvents).map(({ query }) => query)
  expect(asked).toContainEqual(expect.objectContaining({ workspace_id: '1', from: expect.any(String) }))
  await expect(chips(page)).toHaveText(['Workspace: Baltic', 'Time: Last 7 days'])
  await button(page, 'Filters (2)').click()
  await choose(page, 'Kind', 'Workspaces')
  await expectAccessible(page)
  await button(page, 'Show events').click()
  await expect(button(page, 'Filters (3)')).toBeVisible()
  await expect(lines(page)).toHaveText([`${MY_NAME} created the workspace Baltic`])
  await button(page, 'Remove Time: Last 7 days').click()
  await expect(button(page, 'Filters (2)')).toBeVisible()
  await details(page, /created the workspace/).click()
  await expect(changes(page)).toBeVisible()
})

test('a list that cannot be loaded says so, and is loaded again on request', async ({ page, backend, open }) => {
  backend.refuse(listAuditEvents, 409, 'Busy.')
  await open('/activity')
  await expect(page.getByRole('alert')).toContainText('Busy.')
  answerEvents(backend, [CREATED_USER])
  await button(page, 'Try again').click()
  await expect(lines(page)).toHaveCount(1)
})

test('long values are cut in the list, and whole when the event is opened', async ({ page, backend, open }) => {
  const description = 'A long story. '.repeat(50).trim()
  const changed = (after: string) =>
    anEvent({
      ...{ entity: 'workspace', entity_id: 1, record: BALTIC, is_cut: true },
      changes: { description: { before: null, after } },
    })
  answerEvents(backend, [changed('…')])
  backend.answer(getAuditEvent, { ...changed(description), is_cut: false })
  await open('/activity')
  await details(page, `Details: ${MY_NAME} changed the description of Baltic`).click()
  await expect(changes(page)).toContainText(description)
})

test('a download that takes long can be cancelled', async ({ page, backend, open }) => {
  const release = backend.hold(downloadAuditEvents)
  backend.refuse(downloadAuditEvents, 503)
  await open('/activity')
  await expect(lines(page).first()).toBeVisible()
  await button(page, 'Download').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'CSV' }).press('Enter')
  await expect(page.getByRole('main')).toContainText('Preparing the file')
  await expect(button(page, 'Cancel')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Download')).toBeFocused()
  release()
  await expect(page.getByRole('alert')).toHaveCount(0)
})
