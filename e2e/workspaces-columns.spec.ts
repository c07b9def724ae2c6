import type { Page } from '@playwright/test'
import { expect } from './test.ts'
import { button, row, test } from './workspaces-page.ts'

const SPECIFIED = ['View', 'ID', 'Name', 'Description', 'Status', 'Roles', 'Actions']

const headings = (page: Page) => page.getByRole('columnheader')
const chooser = (page: Page) => page.getByRole('list', { name: 'Columns' })
const box = (page: Page, name: string) => chooser(page).getByRole('checkbox', { name, exact: true })

/** Waits until the choice is on the server. */
async function choose(page: Page, action: () => Promise<void>) {
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/saved_views/columns') && response.status() === 204,
  )
  await action()
  await saved
}

test.afterEach(async ({ api }) => {
  await api('PUT', 'saved_views/columns', { list: 'workspaces', columns: null })
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
