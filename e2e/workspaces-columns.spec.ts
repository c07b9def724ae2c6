import type { Page } from '@playwright/test'
import { expect } from './test.ts'
import { button, row, test, unique } from './workspaces-page.ts'

const SPECIFIED = ['View', 'ID', 'Name', 'Description', 'Status', 'Roles', 'Actions']

const headings = (page: Page) => page.getByRole('columnheader')
const chooser = (page: Page) => page.getByRole('list', { name: 'Columns' })
const box = (page: Page, name: string) => chooser(page).getByRole('checkbox', { name, exact: true })
const item = (page: Page, name: string) =>
  chooser(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name, exact: true }) })

/** Waits until the choice is on the server. */
async function choose(page: Page, action: () => Promise<void>) {
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/saved_views/columns') && response.status() === 204,
  )
  await action()
  await saved
}

test.afterEach(async ({ api }) => {
  for (const list of ['workspaces', 'users']) await api('PUT', 'saved_views/columns', { list, columns: null })
})

test('columns are shown and hidden, and the choice stays for this person only', async ({ page, make }) => {
  const { name } = await make.workspace({ status: 'TRIAL', trial_end_date: '2020-01-31T00:00:00' })
  await page.goto(`/workspaces?search=${name}`)
  await expect(headings(page)).toHaveText(SPECIFIED)
  await button(page, 'Columns').click()
  await expect(box(page, 'ID')).toBeFocused()
  for (const column of ['Trial end', 'AI quota left']) await choose(page, () => box(page, column).check())
  await choose(page, () => box(page, 'Description').uncheck())
  const chosen = ['View', 'ID', 'Name', 'Status', 'Roles', 'Trial end', 'AI quota left', 'Actions']
  await expect(headings(page)).toHaveText(chosen)
  await expect(row(page, name)).toContainText('Ended Jan 31, 2020')
  await expect(row(page, name)).toContainText('250 of 1,000')
  await page.keyboard.press('Escape')
  await expect(button(page, 'Columns')).toBeFocused()

  await page.reload()
  await expect(headings(page)).toHaveText(chosen)
  await page.goto('/users')
  await expect(headings(page)).toHaveText([
    ...['ID', 'Workspace', 'Full Name', 'Email', 'Roles', 'Type', 'Language', 'Actions'],
  ])

  await page.goto('/workspaces')
  await button(page, 'Columns').click()
  await choose(page, () => button(page, 'Reset to default').click())
  await expect(headings(page)).toHaveText(SPECIFIED)
  await expect(button(page, 'Reset to default')).toBeDisabled()
})

test('columns are ordered with the keyboard and with the mouse', async ({ page, make }) => {
  const { name } = await make.workspace()
  await page.goto(`/workspaces?search=${name}`)
  await button(page, 'Columns').click()
  const up = chooser(page).getByRole('button', { name: 'Move Status up' })
  await up.focus()
  for (const _ of [1, 2, 3]) await choose(page, () => page.keyboard.press('Enter'))
  await expect(headings(page)).toHaveText(['View', 'Status', 'ID', 'Name', 'Description', 'Roles', 'Actions'])
  await expect(up).toBeDisabled()
  await expect(chooser(page).getByRole('button', { name: 'Move Status down' })).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Status is column 1 of 10.' })).toBeAttached()

  await choose(page, () => item(page, 'Roles').dragTo(item(page, 'ID')))
  await expect(headings(page)).toHaveText(['View', 'Status', 'Roles', 'ID', 'Name', 'Description', 'Actions'])
})

test('the last column cannot be hidden', async ({ page }) => {
  await page.goto('/workspaces?columns=name')
  await expect(headings(page)).toHaveText(['View', 'Name', 'Actions'])
  await button(page, 'Columns').click()
  await expect(box(page, 'Name')).toBeDisabled()
})

test('the columns of a link are shown for this visit, and the own ones stay', async ({ page, api }) => {
  await api('PUT', 'saved_views/columns', { list: 'workspaces', columns: ['name', 'id'] })
  await page.goto('/workspaces?columns=status,name,unknown')
  await expect(headings(page)).toHaveText(['View', 'Status', 'Name', 'Actions'])
  await button(page, 'Columns').click()
  await box(page, 'ID').check()
  await expect(page).toHaveURL(/columns=status%2Cname%2Cid/)
  await expect(headings(page)).toHaveText(['View', 'Status', 'Name', 'ID', 'Actions'])
  await expect(page.getByText('These columns are from a link. Your own stay as they are.')).toBeVisible()
  await button(page, 'Show mine').click()
  await expect(page).toHaveURL('/workspaces')
  await expect(headings(page)).toHaveText(['View', 'Name', 'ID', 'Actions'])

  await page.goto('/workspaces?columns=status')
  await button(page, 'Columns').click()
  await choose(page, () => button(page, 'Keep these').click())
  await expect(page).toHaveURL('/workspaces')
  await page.reload()
  await expect(headings(page)).toHaveText(['View', 'Status', 'Actions'])
})

test('computed fields are asked for only if their columns are shown', async ({ page, make }) => {
  const workspace = await make.workspace({ name: unique('Counted') })
  await make.user(workspace.id)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v1/workspaces/') asked.push(searchParams.getAll('include').join())
  })
  await page.goto(`/workspaces?search=${workspace.name}`)
  await expect(row(page, workspace.name)).toBeVisible()
  expect(asked).toEqual([''])
  await page.goto(`/workspaces?search=${workspace.name}&columns=name,users_count,last_activity_at`)
  await expect(row(page, workspace.name).getByRole('cell')).toHaveText(['', workspace.name, '1', 'None', ''])
  expect(asked).toEqual(['', 'users_count,last_activity_at'])
})

test('a failed choice is reported, and the kept columns are shown again', async ({ page, faults }) => {
  faults.allow(/status of 503/)
  await page.route('**/api/v1/saved_views/columns', (route) =>
    route.fulfill({ status: 503, json: { detail: 'Busy.' } }),
  )
  await page.goto('/workspaces')
  await button(page, 'Columns').click()
  await box(page, 'Trial end').check()
  await expect(page.locator('[data-kind=error]')).toContainText('Busy.')
  await expect(headings(page)).toHaveText(SPECIFIED)
})

test('on a phone the cards show the chosen columns', async ({ page, make }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id, name } = await make.workspace({ status: 'PAID_CLIENT' })
  await page.goto(`/workspaces?search=${name}`)
  const card = page.getByRole('list', { name: 'Workspaces' }).getByRole('listitem').filter({ hasText: name })
  await expect(card).toContainText('Regional newsroom')
  await button(page, 'Columns').click()
  await choose(page, () => box(page, 'Description').uncheck())
  await choose(page, () => box(page, 'Analytical quota left').check())
  await page.keyboard.press('Escape')
  await expect(card).not.toContainText('Regional newsroom')
  await expect(card).toContainText('Analytical quota left 250 of 1,000')
  await expect(card).toContainText(`ID ${id}`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
