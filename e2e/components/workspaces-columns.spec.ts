import type { Page } from '@playwright/test'
import { currentUser } from '@watchdesk/contract/auth/session'
import { chooseColumns } from '@watchdesk/contract/saved-views'
import { button, row } from '../workspaces-page.ts'
import type { Backend } from './backend.ts'
import { aWorkspace, ME } from './records.ts'
import { expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

const SPECIFIED = ['View', 'ID', 'Name', 'Description', 'Status', 'Roles', 'Actions']

const headings = (page: Page) => page.getByRole('columnheader')
const chooser = (page: Page) => page.getByRole('list', { name: 'Columns' })
const box = (page: Page, name: string) => chooser(page).getByRole('checkbox', { name, exact: true })
const item = (page: Page, name: string) =>
  chooser(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name, exact: true }) })

/** The columns that the person chose, which the server keeps. */
function keepColumns(backend: Backend, workspaces?: string[]) {
  const me = { ...ME, columns: workspaces ? { workspaces } : {} }
  backend.answer(currentUser, () => me)
  backend.answer(chooseColumns, ({ body: { list, columns } }) => {
    me.columns = { [list]: columns ?? undefined }
  })
  return me
}

test.beforeEach(({ backend }) => {
  keepWorkspaces(backend, aWorkspace({ status: 'PAID_CLIENT' }))
})

test('columns are shown, hidden, ordered with the keyboard and with the mouse, and reset', async ({
  page,
  backend,
  open,
}) => {
  const me = keepColumns(backend)
  await open('/workspaces')
  await button(page, 'Columns').click()
  await expect(box(page, 'ID')).toBeFocused()
  const up = chooser(page).getByRole('button', { name: 'Move Status up' })
  await up.focus()
  for (const before of [3, 2, 1]) {
    await page.keyboard.press('Enter')
    await expect(headings(page).nth(before)).toHaveText('Status')
  }
  await expect(headings(page)).toHaveText(['View', 'Status', 'ID', 'Name', 'Description', 'Roles', 'Actions'])
  await expect(up).toBeDisabled()
  await expect(chooser(page).getByRole('button', { name: 'Move Status down' })).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Status is column 1 of 10.' })).toBeAttached()

  await item(page, 'Roles').dragTo(item(page, 'ID'))
  await expect(headings(page)).toHaveText(['View', 'Status', 'Roles', 'ID', 'Name', 'Description', 'Actions'])
  await expect.poll(() => me.columns.workspaces).toEqual(['status', 'roles', 'id', 'name', 'description'])
  await box(page, 'Description').uncheck()
  await box(page, 'AI quota left').check()
  const chosen = ['View', 'Status', 'Roles', 'ID', 'Name', 'AI quota left', 'Actions']
  await expect(headings(page)).toHaveText(chosen)
  await expect(row(page, 'Baltic')).toContainText('250 of 1,000')
  await page.keyboard.press('Escape')
  await expect(button(page, 'Columns')).toBeFocused()
  await expect.poll(() => me.columns.workspaces).toContain('ai_quota')
  await open('/workspaces')
  await expect(headings(page)).toHaveText(chosen)
  await button(page, 'Columns').click()
  await button(page, 'Reset to default').click()
  await expect(headings(page)).toHaveText(SPECIFIED)
})

test('the last column cannot be hidden', async ({ page, open }) => {
  await open('/workspaces?columns=name')
  await expect(headings(page)).toHaveText(['View', 'Name', 'Actions'])
  await button(page, 'Columns').click()
  await expect(box(page, 'Name')).toBeDisabled()
})

test('the columns of a link are shown for this visit, and the own ones stay', async ({ page, backend, open }) => {
  keepColumns(backend, ['name', 'id'])
  await open('/workspaces?columns=status,name,unknown')
  await expect(headings(page)).toHaveText(['View', 'Status', 'Name', 'Actions'])
  await button(page, 'Columns').click()
  await box(page, 'ID').check()
  await expect(page).toHaveURL(/columns=status%2Cname%2Cid/)
  await expect(headings(page)).toHaveText(['View', 'Status', 'Name', 'ID', 'Actions'])
  await expect(page.getByText('These columns are from a link. Your own stay as they are.')).toBeVisible()
  await button(page, 'Show mine').click()
  await expect(page).toHaveURL('/workspaces')
  await expect(headings(page)).toHaveText(['View', 'Name', 'ID', 'Actions'])
  expect(backend.calls(chooseColumns)).toEqual([])

  await open('/workspaces?columns=status')
  await button(page, 'Columns').click()
  await button(page, 'Keep these').click()
  await expect(page).toHaveURL('/workspaces')
  await expect(headings(page)).toHaveText(['View', 'Status', 'Actions'])
  await expect.poll(() => backend.calls(chooseColumns).length).toBe(1)
  await open('/workspaces')
  await expect(headings(page)).toHaveText(['View', 'Status', 'Actions'])
})

test('computed fields are asked for only if their columns are shown', async ({ page, backend, open }) => {
  keepWorkspaces(backend, { ...aWorkspace(), ...{ users_count: 1, last_activity_at: null } })
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v1/workspaces/') asked.push(searchParams.getAll('include').join())
  })
  await open('/workspaces')
  await expect(row(page, 'Baltic')).toBeVisible()
  expect(asked).toEqual([''])
  await open('/workspaces?columns=name,users_count,last_activity_at')
  await expect(row(page, 'Baltic').getByRole('cell')).toHaveText(['', 'Baltic', '1', 'None', ''])
  expect(asked).toEqual(['', 'users_count,last_activity_at'])
})

test('a failed choice is reported, and the kept columns are shown again', async ({ page, backend, open }) => {
  backend.refuse(chooseColumns, 503, 'Busy.')
  const release = backend.hold(chooseColumns)
  await open('/workspaces')
  await button(page, 'Columns').click()
  await box(page, 'Trial end').check()
  await expect(headings(page).filter({ hasText: 'Trial end' })).toBeVisible()
  release()
  await expect(page.locator('[data-kind=error]')).toContainText('Busy.')
  await expect(headings(page)).toHaveText(SPECIFIED)
})

test('on a phone the cards show the chosen columns', async ({ page, backend, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  keepColumns(backend)
  await open('/workspaces')
  const card = page.getByRole('list', { name: 'Workspaces' }).getByRole('listitem').filter({ hasText: 'Baltic' })
  await expect(card).toContainText('Regional newsroom')
  await button(page, 'Columns').click()
  await box(page, 'Description').uncheck()
  await box(page, 'Analytical quota left').check()
  await page.keyboard.press('Escape')
  await expect(card).not.toContainText('Regional newsroom')
  await expect(card).toContainText('Analytical quota left 250 of 1,000')
  await expect(card).toContainText('ID 1')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
