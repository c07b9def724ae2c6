import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { REFUSED } from './session-page.ts'
import { expect, storeToken } from './test.ts'
import { button, choose, heading, PASSWORD, select, test, unique } from './workspaces-page.ts'

const QUOTA = { limit: 1000, balance: 250, renewal_date: '2027-01-01T00:00:00' }
const PHONE = { width: 390, height: 844 }

/** The lines of the events, newest first. */
const lines = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('paragraph')
    .filter({ has: page.locator('strong') })
const details = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const changes = (page: Page) => page.getByRole('table', { name: 'Changes' })
const searchBox = (page: Page) => page.getByRole('searchbox')

test('a change is listed with the labels of the form, its values before and after, and the changed words marked', async ({
  page,
  api,
  make,
}) => {
  const dashboard = await make.dashboard()
  const { id, name } = await make.workspace({ description: 'A daily summary for editors in the south' })
  await api('PUT', `workspaces/${id}`, {
    name,
    description: 'A weekly summary for editors in the south and east',
    status: 'TRIAL',
    trial_end_date: '2026-12-24T00:00:00',
    analytical_quota: QUOTA,
    ai_quota: { ...QUOTA, limit: 2000 },
    powerbi_dashboards: [dashboard.id],
  })
  await page.goto(`/activity?workspace_id=${id}`)
  await expect(lines(page)).toHaveText([
    `Super Admin changed 5 fields of ${name}`,
    `Super Admin created the workspace ${name}`,
  ])
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible()
  const opener = details(page, `Details: Super Admin changed 5 fields of ${name}`)
  await expect(opener).toHaveAttribute('aria-expanded', 'false')
  await opener.click()
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  await expect(changes(page).getByRole('row')).toHaveText([
    'FieldBeforeAfter',
    'DescriptionA daily summary for editors in the southA weekly summary for editors in the south and east',
    'Status–TRIAL',
    'Trial end date–Dec 24, 2026',
    'AI quota limit1,0002,000',
    `PowerBI dashboards–${dashboard.name}`,
  ])
  await expect(changes(page).locator('del')).toHaveText(['daily'])
  await expect(changes(page).locator('ins')).toHaveText(['weekly', ' and east', dashboard.name])
  // Not by color alone.
  await expect(changes(page).locator('del').first()).toHaveCSS('text-decoration-line', 'line-through')
  await expect(changes(page).locator('ins').first()).toHaveCSS('text-decoration-line', 'underline')
  await expect(page.getByRole('main')).toContainText('127.0.0.1')
  await expectAccessible(page)

  await lines(page).first().getByRole('link', { name }).click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  await page.goBack()
  await expect(lines(page)).toHaveCount(2)
})

test('the filters are in the address: reload and Back keep them, Clear removes them', async ({ page, api, make }) => {
  const workspace = await make.workspace()
  const user = await make.user(workspace.id)
  await api('PATCH', `users/${user.id}`, { first_name: 'Olha' })
  await page.goto('/activity')
  await choose(page, 'Kind', 'Users')
  await expect(page).toHaveURL(/[?&]entity=user\b/)
  await choose(page, 'Action', 'Changed')
  await choose(page, 'Time', 'Last 7 days')
  await searchBox(page).fill(user.last_name)
  await expect(page).toHaveURL(/search=/)
  const only = [`Super Admin changed the first name of Olha ${user.last_name}`]
  await expect(lines(page)).toHaveText(only)
  await page.reload()
  await expect(lines(page)).toHaveText(only)
  await expect(select(page, 'Action')).toHaveValue('Changed')

  await lines(page).first().getByRole('link').click()
  await expect(heading(page)).toContainText('Edit User')
  await page.goBack()
  await expect(lines(page)).toHaveText(only)
  await expect(searchBox(page)).toHaveValue(user.last_name)

  await button(page, 'Clear').click()
  await expect(page).toHaveURL('/activity')
  await expect(searchBox(page)).toHaveValue('')
  await page.goBack()
  await expect(select(page, 'Kind')).toHaveValue('Users')

  await page.goto(`/activity?search=${unique('nothing')}`)
  await expect(page.getByRole('main')).toContainText('No events match.')
  await button(page, 'Show all events').click()
  await expect(lines(page).first()).toBeVisible()
})

test('events are filtered by a person, from one day to another, and by what an event shows', async ({
  page,
  api,
  make,
}) => {
  const { id } = await make.workspace()
  const person = await make.user(id, { is_admin: true })
  const login = { email: person.email, password: PASSWORD }
  await api('POST', 'login', login)
  await page.goto('/activity')
  await select(page, 'Person').fill(person.last_name)
  await page.getByRole('option', { name: person.last_name }).click()
  await expect(page).toHaveURL(`/activity?actor_id=${person.id}`)
  await expect(lines(page)).toHaveText([`Iryna ${person.last_name} signed in`])
  await choose(page, 'Time', 'Custom range…')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await expect(page).toHaveURL(/to=2020-01-31/)
  await expect(page.getByRole('main')).toContainText('No events match.')
  await page.reload()
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2020-01-31')

  await page.goto(`/activity?search=${person.last_name}&action=create`)
  await details(page, /created the user/).click()
  await page.getByRole('listitem').getByRole('link', { name: 'All its activity' }).last().click()
  await expect(page).toHaveURL(`/activity?entity=user&entity_id=${person.id}`)
  const chip = page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
  await expect(chip).toHaveText([`User Iryna ${person.last_name}`])
  await chip.getByRole('button').click()
  await expect(page).toHaveURL('/activity')
})

test('new events are counted, and appear when the button is pressed', async ({ page, api, make }) => {
  const { id } = await make.workspace()
  const user = await make.user(id)
  await page.goto(`/activity?workspace_id=${id}`)
  await expect(lines(page)).toHaveCount(2)
  await api('PATCH', `users/${user.id}`, { language: 'UK' })
  const more = button(page, '1 new')
  await expect(more).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('status').filter({ hasText: '1 new event' })).toBeAttached()
  await expect(lines(page)).toHaveCount(2)
  await more.click()
  await expect(lines(page).first()).toHaveText(`Super Admin changed the language of Iryna ${user.last_name}`)
  await expect(lines(page)).toHaveCount(3)
  await expect(more).toHaveCount(0)
})

test('the events that match are downloaded as CSV and as JSON lines', async ({ page, make }) => {
  const { id, name } = await make.workspace()
  await make.user(id)
  await page.goto(`/activity?workspace_id=${id}`)
  await expect(lines(page)).toHaveCount(2)
  const files: string[] = []
  for (const format of ['CSV', 'JSON lines']) {
    const download = page.waitForEvent('download')
    await button(page, 'Download').click()
    await page.getByRole('menuitem', { name: format }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(format === 'CSV' ? /\.csv$/ : /\.jsonl$/)
    files.push(await readFile(await file.path(), 'utf8'))
    await expect(button(page, 'Download')).toBeVisible()
  }
  const [csv = '', json = ''] = files
  expect(csv.trim().split('\n')).toHaveLength(3)
  expect(csv).toContain(name)
  const events = json
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.map(({ action, entity }) => [action, entity])).toEqual([
    ['create', 'user'],
    ['create', 'workspace'],
  ])
})

test('a deleted workspace opens to the users that were deleted with it, and leads to the bin', async ({
  page,
  api,
  make,
}) => {
  const { id, name } = await make.workspace()
  const users = [await make.user(id), await make.user(id)]
  await api('DELETE', `workspaces/${id}`)
  await page.goto(`/activity?entity=workspace&action=delete&search=${name}`)
  await expect(lines(page)).toHaveText([`Super Admin deleted the workspace ${name} (in the bin) and its 2 users`])
  await expect(lines(page).getByRole('link', { name })).toHaveAttribute('href', `/bin?search=${name}`)
  await details(page, /deleted the workspace/).click()
  const parts = page.getByRole('list', { name: 'Parts of this event' })
  await expect(parts.getByRole('paragraph')).toHaveCount(2)
  for (const { last_name } of users) await expect(parts).toContainText(`deleted the user Iryna ${last_name}`)
})

test('an import shows its counts, and leads to the sheet with its rows', async ({ page, api, watchdesk }) => {
  const sheet_records = [{ source_url: `https://t.me/${unique('reach').replaceAll('-', '')}` }, { source_url: 'no' }]
  await api('POST', 'source_import/sources', { email: watchdesk.email, sheet_url: null, sheet_records })
  await page.goto('/activity?entity=sources')
  await details(page, 'Details: Super Admin added 1 of 2 sources').first().click()
  await expect(changes(page)).toContainText('Rows in the file2')
  await expect(changes(page)).toContainText('Invalid URL1')
  await changes(page).getByRole('link', { name: 'Open the sheet' }).click()
  await expect(page).toHaveURL(/\/sheets\/\d+$/)
})

test('a search needs three letters, and a person is chosen with Enter', async ({ page, make }) => {
  const { id } = await make.workspace()
  const { last_name } = await make.user(id, { first_name: 'Zlata' })
  await page.goto('/activity')
  await searchBox(page).fill('zl')
  await expect(page.getByRole('main')).toContainText('Enter at least three letters or digits to search.')
  await searchBox(page).fill('')
  await select(page, 'Person').click()
  await page.keyboard.type(last_name)
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/actor_id=\d+/)
  await expect(page.getByRole('main')).toContainText('No events match.')
})

test('a filter that is chosen offline does not show events of another one', async ({ page, context, make }) => {
  await make.workspace()
  // The page loads what watches jobs last, and nothing waits for it.
  const watching = page.waitForResponse(/\/api\/v1\/jobs\//)
  await page.goto('/activity')
  await expect(lines(page).first()).toBeVisible()
  await watching
  await context.setOffline(true)
  await choose(page, 'Action', 'Restored')
  await expect(page.getByRole('main')).toContainText('You are offline.')
  await expect(lines(page)).toHaveCount(0)
  await context.setOffline(false)
  await expect(page.getByRole('main')).not.toContainText('You are offline.')
})

test('a workspace admin sees the events of its workspace only', async ({ page, make, watchdesk }) => {
  const [own, other] = [await make.workspace(), await make.workspace()]
  const { email, last_name } = await make.user(own.id, { is_admin: true })
  await make.user(other.id)
  const login = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  await storeToken(page, watchdesk.url, (await login.json()).access_token)
  await page.goto('/users')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }).click()
  await expect(lines(page)).toHaveText([
    `Iryna ${last_name} signed in`,
    `Super Admin created the user Iryna ${last_name}`,
    `Super Admin created the workspace ${own.name}`,
  ])
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
  await page.goto(`/activity?workspace_id=${other.id}`)
  await expect(page.getByRole('main')).toContainText('No events match.')
})

test('the list is used without a mouse, to its end', async ({ page, api, make }) => {
  const { id } = await make.workspace()
  const user = await make.user(id)
  for (let index = 0; index < 55; index += 1) await api('PATCH', `users/${user.id}`, { first_name: `N${index}` })
  // A short page at the top, so that the next one does not load by itself.
  await page.setViewportSize({ width: 1440, height: 400 })
  await page.goto(`/activity?workspace_id=${id}&entity=user`)
  await expect(lines(page)).toHaveCount(50)
  await details(page, /N54/).focus()
  await page.keyboard.press('Enter')
  await expect(changes(page)).toContainText('First nameN53N54')
  await page.keyboard.press('Enter')
  await expect(changes(page)).toHaveCount(0)
  await button(page, 'Show more').focus()
  await page.keyboard.press('Enter')
  await expect(lines(page)).toHaveCount(56)
  await expect(button(page, 'Show more')).toHaveCount(0)
})

test('on a phone the filters are in a sheet, and those that are on are listed', async ({ page, make }) => {
  await page.setViewportSize(PHONE)
  const { id, name } = await make.workspace()
  await make.user(id)
  await page.goto(`/activity?workspace_id=${id}&time=7d`)
  await expect(lines(page)).toHaveCount(2)
  const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
  await expect(chips).toHaveText([`Workspace: ${name}`, 'Time: Last 7 days'])
  await button(page, 'Filters (2)').click()
  await choose(page, 'Kind', 'Workspaces')
  await expectAccessible(page)
  await button(page, 'Show events').click()
  await expect(button(page, 'Filters (3)')).toBeVisible()
  await expect(lines(page)).toHaveText([`Super Admin created the workspace ${name}`])
  await button(page, 'Remove Time: Last 7 days').click()
  await expect(button(page, 'Filters (2)')).toBeVisible()
  await details(page, /created the workspace/).click()
  await expect(changes(page)).toBeVisible()
})

test('a list that cannot be loaded says so, and is loaded again on request', async ({ page, faults }) => {
  faults.allow(REFUSED)
  await page.route('**/api/v1/audit/?*page_size=50*', (route) =>
    route.fulfill({ status: 409, json: { detail: 'Busy.' } }),
  )
  await page.goto('/activity')
  await expect(page.getByRole('alert')).toContainText('Busy.')
  await page.unroute('**/api/v1/audit/?*page_size=50*')
  await button(page, 'Try again').click()
  await expect(lines(page).first()).toBeVisible()
})

test('long values are cut in the list, and whole when the event is opened', async ({ page, api, make }) => {
  const { id, name } = await make.workspace({ description: 'Before' })
  const description = 'A long story. '.repeat(50).trim()
  await api('PUT', `workspaces/${id}`, { name, description, analytical_quota: QUOTA, ai_quota: QUOTA })
  // The server cuts only changes that no form can make.
  await page.route('**/api/v1/audit/?*page_size=50*', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    body.objects[0] = { ...body.objects[0], is_cut: true, changes: { description: { before: null, after: '…' } } }
    await route.fulfill({ response, json: body })
  })
  await page.goto(`/activity?workspace_id=${id}`)
  await details(page, `Details: Super Admin changed the description of ${name}`).click()
  await expect(changes(page)).toContainText(description)
})

test('a download that takes long can be cancelled', async ({ page }) => {
  await page.goto('/activity')
  await expect(lines(page).first()).toBeVisible()
  await page.route('**/api/v1/audit/file?*', () => {})
  await button(page, 'Download').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'CSV' }).press('Enter')
  await expect(page.getByRole('main')).toContainText('Preparing the file')
  await expect(button(page, 'Cancel')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Download')).toBeFocused()
  await expect(page.getByRole('alert')).toHaveCount(0)
})
