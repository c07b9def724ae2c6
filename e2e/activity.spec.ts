import { readFile } from 'node:fs/promises'
import { expectAccessible } from './accessible.ts'
import { changes, details, lines, searchBox } from './activity-page.ts'
import { expect, storeToken } from './test.ts'
import { button, choose, heading, PASSWORD, select, test, unique } from './workspaces-page.ts'

const QUOTA = { limit: 1000, balance: 250, renewal_date: '2027-01-01T00:00:00' }

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

test('a deleted workspace opens to the users that were deleted with it, and leads to the bin; an import shows its counts, and leads to the sheet with its rows', async ({
  page,
  api,
  make,
  watchdesk,
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

  const sheet_records = [{ source_url: `https://t.me/${unique('reach').replaceAll('-', '')}` }, { source_url: 'no' }]
  await api('POST', 'source_import/sources', { email: watchdesk.email, sheet_url: null, sheet_records })
  await page.goto('/activity?entity=sources')
  await details(page, 'Details: Super Admin added 1 of 2 sources').first().click()
  await expect(changes(page)).toContainText('Rows in the file2')
  await expect(changes(page)).toContainText('Invalid URL1')
  await changes(page).getByRole('link', { name: 'Open the sheet' }).click()
  await expect(page).toHaveURL(/\/sheets\/\d+$/)
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
