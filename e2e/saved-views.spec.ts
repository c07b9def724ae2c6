import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { REFUSED } from './session-page.ts'
import { expect, shareSession } from './test.ts'
import { button, rows, test, toast, unique } from './workspaces-page.ts'

const own = (page: Page) => page.getByRole('list', { name: 'Your views' })
const view = (page: Page, name: string) => own(page).getByRole('link', { name, exact: true })
const current = (page: Page) => own(page).locator('[aria-current=true]')
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
const headings = (page: Page) => page.getByRole('columnheader')

async function save(page: Page, name: string) {
  await page.getByRole('textbox', { name: 'Name of the view' }).fill(name)
  await button(page, 'Save view').click()
  await expect(view(page, name)).toBeVisible()
}

test('a view keeps filters, order and columns, and is opened from the menu', async ({ page, make }) => {
  const name = unique('Kept')
  await make.workspace({ name: `${name} a`, status: 'INTERNAL' })
  await make.workspace({ name: `${name} b`, status: 'INTERNAL' })
  await page.goto(`/workspaces?search=${name}&status=INTERNAL&sort=-name&columns=name,status&page=1`)
  await expect(rows(page)).toHaveCount(2)
  await button(page, 'Views').click()
  await expect(page.getByText('Save the present filters, order and columns.')).toBeVisible()
  await save(page, name)
  await expect(toast(page)).toContainText(`View saved: ${name}`)
  await expect(current(page)).toHaveText(name)
  await expectAccessible(page)

  await page.goto('/workspaces')
  await button(page, 'Views').click()
  await view(page, name).click()
  await expect(page).toHaveURL(/search=.*status=INTERNAL.*sort=-name/)
  await expect(chips(page)).toHaveText(['Status: INTERNAL'])
  await expect(headings(page)).toHaveText(['View', 'Name', 'Status', 'Actions'])
  await expect(rows(page).first()).toContainText(`${name} b`)
  await expect(button(page, 'Views')).toBeFocused()
  await page.goto('/users')
  await button(page, 'Views').click()
  await expect(page.getByRole('link', { name: 'Never signed in' })).toBeVisible()
  await expect(view(page, name)).toHaveCount(0)
})

test('a view is renamed, replaced and deleted, and both can be undone', async ({ page, api, faults }) => {
  faults.allow(REFUSED)
  const [name, other] = [unique('View'), unique('Other')]
  await api('POST', 'saved_views/', { list: 'users', name, query: 'type=MODERATOR' })
  await api('POST', 'saved_views/', { list: 'users', name: other, query: '' })
  await page.goto('/users?role=admin')
  await button(page, 'Views').click()
  await button(page, `Rename ${name}`).click()
  const field = page.getByRole('textbox', { name: `New name of ${name}` })
  await field.fill(other)
  await button(page, 'Rename').click()
  await expect(field).toHaveAccessibleDescription('You already have a view with this name.')
  await field.fill(`${name} 2`)
  await page.keyboard.press('Enter')
  await expect(view(page, `${name} 2`)).toBeVisible()

  await button(page, `Replace ${name} 2`).click()
  await expect(current(page)).toHaveText(`${name} 2`)
  await expect(toast(page)).toContainText(`View replaced: ${name} 2`)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).filter({ hasText: `View restored: ${name} 2` })).toBeVisible()
  await button(page, 'Views').click()
  await expect(view(page, `${name} 2`)).toBeVisible()
  await expect(current(page)).toHaveCount(0)

  await button(page, `Delete ${name} 2`).click()
  await expect(view(page, `${name} 2`)).toHaveCount(0)
  await toast(page).filter({ hasText: 'View deleted' }).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).filter({ hasText: 'View restored' })).toBeVisible()
  await button(page, 'Views').click()
  await view(page, `${name} 2`).click()
  await expect(page).toHaveURL('/users?type=MODERATOR')
})

test('the panel keeps the focus when a view is saved, renamed and deleted', async ({ page, api, faults }) => {
  faults.allow(REFUSED)
  const name = unique('Focus')
  await api('POST', 'saved_views/', { list: 'users', name: `${name} 0`, query: '' })
  await page.goto('/users?type=STANDARD')
  const panel = page.getByRole('dialog', { name: 'Views' })
  const field = panel.getByRole('textbox', { name: 'Name of the view' })
  const closes = async () => {
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(button(page, 'Views')).toBeFocused()
    await button(page, 'Views').click()
  }
  await button(page, 'Views').click()
  await field.fill(`${name} 0`)
  await button(page, 'Save view').click()
  await expect(field).toHaveAccessibleDescription('You already have a view with this name.')
  await expect(field).toBeFocused()
  await save(page, name)
  await closes()
  await button(page, `Rename ${name}`).click()
  await panel.getByRole('textbox', { name: `New name of ${name}` }).fill(`${name} 2`)
  await button(page, 'Rename').click()
  await expect(view(page, `${name} 2`)).toBeVisible()
  await closes()
  await button(page, `Delete ${name} 2`).click()
  await expect(view(page, `${name} 2`)).toHaveCount(0)
  await closes()
})

test('the link of a view shows it to others, with other columns of their own, and after it is gone', async ({
  page,
  browser,
  watchdesk,
  api,
  make,
  context,
}) => {
  await make.workspace({ status: 'TRIAL', trial_end_date: '2027-01-31T00:00:00' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const name = unique('Shared')
  await page.goto('/workspaces?status=TRIAL&columns=id,trial_end_date')
  await button(page, 'Views').click()
  await save(page, name)
  await button(page, `Copy link to ${name}`).click()
  await expect(page.getByRole('status').filter({ hasText: 'Link copied.' })).toBeAttached()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await api('DELETE', `saved_views/?list=workspaces&name=${name}`)

  const visitor = await browser.newContext()
  const theirs = await visitor.newPage()
  await shareSession(theirs, watchdesk)
  await theirs.goto(link)
  await expect(chips(theirs)).toHaveText(['Status: TRIAL'])
  await expect(headings(theirs)).toHaveText(['View', 'ID', 'Trial end', 'Actions'])
  await visitor.close()
})

test('on a phone views are saved and opened', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const name = unique('Phone')
  await page.goto('/users?type=STANDARD')
  await button(page, 'Views').click()
  await save(page, name)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.getByRole('link', { name: 'Super admins' }).click()
  await expect(chips(page)).toHaveText(['Role: Super admin'])
  await button(page, 'Views').click()
  await view(page, name).click()
  await expect(chips(page)).toHaveText(['Type: STANDARD'])
})
