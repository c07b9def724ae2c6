import { countNewEvents, downloadAuditEvents, getAuditEvent, listAuditEvents } from '@watchdesk/contract/activity'
import { currentUser } from '@watchdesk/contract/auth/session'
import { getUser, listUsers } from '@watchdesk/contract/users'
import { getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { changes, chips, details, lines, searchBox } from '../activity-page.ts'
import { button, choose, select } from '../workspaces-page.ts'
import { anEvent, answerEvents, MY_NAME } from './events.ts'
import { aUser, aWorkspace, ME } from './records.ts'
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
  const { pathname, search } = new URL(page.url())
  await open(`${pathname}${search}`)
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2020-01-31')
  await button(page, 'Show all events').click()
  await expect(page).toHaveURL('/activity')
  await expect(lines(page)).toHaveCount(3)
  await page.goBack()
  await expect(select(page, 'Person')).toHaveValue('Iryna Shevchuk')

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

test('a search needs three letters, and a filter that is chosen offline does not show events of another one', async ({
  page,
  context,
  open,
}) => {
  // The page loads what watches jobs last, and nothing waits for it.
  const watching = page.waitForResponse(/\/api\/v1\/jobs\//)
  await open('/activity')
  await expect(lines(page).first()).toBeVisible()
  await searchBox(page).fill('zl')
  await expect(page.getByRole('main')).toContainText('Enter at least three letters or digits to search.')
  await searchBox(page).fill('')
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
  await button(page, 'Show events').click()
  await expect(button(page, 'Filters (3)')).toBeVisible()
  await expect(lines(page)).toHaveText([`${MY_NAME} created the workspace Baltic`])
  await button(page, 'Remove Time: Last 7 days').click()
  await expect(button(page, 'Filters (2)')).toBeVisible()
  await details(page, /created the workspace/).click()
  await expect(changes(page)).toBeVisible()
})

test('a list that cannot be loaded says so, and is loaded again; long values are cut in it, and whole in an event', async ({
  page,
  backend,
  open,
}) => {
  backend.refuse(listAuditEvents, 409, 'Busy.')
  await open('/activity')
  await expect(page.getByRole('alert')).toContainText('Busy.')
  const description = 'A long story. '.repeat(50).trim()
  const changed = (after: string) =>
    anEvent({
      ...{ entity: 'workspace', entity_id: 1, record: BALTIC, is_cut: true },
      changes: { description: { before: null, after } },
    })
  answerEvents(backend, [changed('…')])
  backend.answer(getAuditEvent, { ...changed(description), is_cut: false })
  await button(page, 'Try again').click()
  await details(page, `Details: ${MY_NAME} changed the description of Baltic`).click()
  await expect(changes(page)).toContainText(description)
})

test('a deleted workspace opens to the users that were deleted with it, and leads to the bin; an import leads to its sheet', async ({
  page,
  backend,
  open,
}) => {
  const record = { ...BALTIC, state: 'deleted' as const }
  const deleted = anEvent({
    ...{ id: 4, action: 'delete', entity: 'workspace', entity_id: 1, record, parts: 1 },
    changes: { users: { before: 1, after: 0 } },
  })
  const part = anEvent({ id: 3, action: 'delete', parent_id: 4, changes: {} })
  const counts = { inputs_count: { before: null, after: 2 }, requested: { before: null, after: 1 } }
  const imported = anEvent({
    ...{ id: 2, action: 'import', entity: 'sources', entity_id: null, record: null, version: null },
    changes: { ...counts, sheet_url: { before: null, after: '/sheets/7' } },
  })
  answerEvents(backend, [deleted, imported])
  await open('/activity')
  const baltic = lines(page).first().getByRole('link', { name: 'Baltic' })
  await expect(baltic).toHaveAttribute('href', '/bin?search=Baltic')
  await details(page, `Details: ${MY_NAME} added 1 of 2 sources`).click()
  await expect(changes(page)).toContainText('Rows in the file2')
  const sheet = changes(page).getByRole('link', { name: 'Open the sheet' })
  await expect(sheet).toHaveAttribute('href', '/sheets/7')
  answerEvents(backend, [part])
  await details(page, /deleted the workspace/).click()
  const parts = page.getByRole('list', { name: 'Parts of this event' })
  await expect(parts.getByRole('paragraph')).toHaveText([/deleted the user Iryna Shevchuk/])
  expect(backend.calls(listAuditEvents).at(-1)?.query).toMatchObject({ parent_id: '4' })
})

test('a workspace admin sees the events of its workspace only, and the kinds that it has', async ({
  page,
  backend,
  open,
}) => {
  backend.answer(currentUser, { ...ME, is_super_admin: false, is_admin: true })
  await open('/activity')
  await expect(lines(page)).toHaveCount(3)
  await expect(select(page, 'Workspace')).toHaveCount(0)
  await select(page, 'Kind').click()
  await expect(page.getByRole('option')).toHaveText([
    'Users',
    'Workspaces',
    'Sign-ins',
    'Tokens',
    'Authenticator apps',
    'Passkeys',
    'Recovery codes',
    'Resets of second factors',
    'Single sign-on accounts',
    'Invitations and password links',
    'Bulk changes of users',
    'Bin',
    'Activity',
    'Rejected calls',
  ])
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
