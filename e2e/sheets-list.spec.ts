import type { Locator, Page } from '@playwright/test'
import type { Sheet } from '@watchdesk/contract/sheets'
import { toast } from './imports-page.ts'
import { REFUSED } from './session-page.ts'
import { importRows } from './sources-page.ts'
import { expect } from './test.ts'
import { dialog, heading, test, unique } from './workspaces-page.ts'

const row = (page: Page, title: string) => page.getByRole('table', { name: 'Sheets' }).getByRole('row', { name: title })
const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click()

test('sheets are listed with their size, owner and origin, opened, renamed, deleted and restored', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(REFUSED)
  const title = unique('Sheet')
  const path = await importRows(api, [{ source_url: `https://t.me/${unique('sheet')}` }, { source_url: 'x' }])
  await api('PATCH', path.slice(1), { title })
  await page.goto(`/sheets?search=${title}`)
  const columns = ['ID', 'Title', 'Origin', 'Owner', 'Size', 'Last changed', 'Moves to bin', 'Actions']
  await expect(page.getByRole('columnheader')).toHaveText(columns)
  for (const text of ['Source import', 'Super Admin', /2 rows \d+ B/, 'in 90 days']) {
    await expect(row(page, title)).toContainText(text)
  }
  await press(page, `Rename ${title}`)
  const field = dialog(page).getByRole('textbox', { name: 'Title' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(title)
  await field.fill('   ')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('Title is required!')
  const renamed = `${title} renamed`
  await field.fill(renamed)
  await press(dialog(page), 'Rename')
  await expect(toast(page)).toContainText(`Sheet renamed to “${renamed}”.`)
  await expect(row(page, renamed)).toBeVisible()
  expect((await api<Sheet>('GET', path.slice(1))).title).toBe(renamed)
  await press(page, `Delete ${renamed}`)
  await expect(dialog(page)).toContainText(`This deletes “${renamed}” with 2 rows. The sources stay.`)
  await press(dialog(page), 'Delete')
  await expect(page.getByText('No sheets match.')).toBeVisible()
  await press(page, 'Undo')
  await expect(toast(page)).toHaveText(`${renamed} restored.`)

  await row(page, renamed).getByRole('link', { name: renamed }).click()
  await expect(page).toHaveURL(path)
  await expect(heading(page)).toHaveText(renamed)
  await press(page, 'Delete')
  await press(dialog(page), 'Delete')
  await expect(page).toHaveURL(/\/sheets(\?|$)/)
  await expect(toast(page)).toContainText('Sheet deleted.')
  await page.goto(path)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Sheet not found.')
  await page.goto(`/bin?kind=sheet&search=${title}`)
  await expect(page.getByRole('row', { name: renamed })).toContainText('2 rows')
  await press(page, `Restore ${renamed}`)
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page).toHaveURL(path)
  await expect(heading(page)).toHaveText(renamed)
})
