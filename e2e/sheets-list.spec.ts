import type { Locator, Page } from '@playwright/test'
import type { Sheet } from '@watchdesk/contract/sheets'
import { expectAccessible } from './accessible.ts'
import { toast } from './imports-page.ts'
import { unique } from './seed.ts'
import { REFUSED } from './session-page.ts'
import { test } from './signed-in.ts'
import { importRows } from './sources-page.ts'
import { expect } from './test.ts'

type Api = Parameters<typeof importRows>[0]

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const row = (page: Page, title: string) => page.getByRole('table', { name: 'Sheets' }).getByRole('row', { name: title })
const dialog = (page: Page) => page.getByRole('dialog')
const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click()

/** A sheet of an import, with a title of its own. */
async function newSheet(api: Api, title = unique('Sheet')) {
  const path = await importRows(api, [{ source_url: `https://t.me/${unique('sheet')}` }, { source_url: 'x' }])
  await api('PATCH', `/api/v1${path}`, { title })
  return { path, title, id: Number(path.split('/').at(-1)) }
}

async function open(page: Page, title: string) {
  await page.goto(`/sheets?search=${encodeURIComponent(title)}`)
  await expect(row(page, title)).toBeVisible()
}

test('lists sheets with their size, owner and origin, and opens them', async ({ page, api }) => {
  const { title, path } = await newSheet(api)
  await page.goto('/sheets')
  await expect(page).toHaveTitle('Sheets · Watchdesk')
  await expect(page.getByRole('columnheader')).toHaveText([
    'ID',
    'Title',
    'Origin',
    'Owner',
    'Size',
    'Last changed',
    'Moves to bin',
    'Actions',
  ])
  await expect(row(page, title)).toContainText('Source import')
  await expect(row(page, title)).toContainText('Super Admin')
  await expect(row(page, title)).toContainText(/2 rows \d+ B/)
  await expect(row(page, title)).toContainText('in 90 days')
  await row(page, title).getByRole('link', { name: title }).click()
  await expect(page).toHaveURL(path)
  await expect(heading(page)).toHaveText(title)
  await page.getByRole('main').getByRole('link', { name: 'Sheets', exact: true }).click()
  await expect(page).toHaveURL('/sheets')
  await expect(heading(page)).toHaveText('Sheets')
})

test('a sheet is renamed in the list and on its page', async ({ page, api }) => {
  const { title, path } = await newSheet(api)
  await open(page, title)
  await press(page, `Rename ${title}`)
  const field = dialog(page).getByRole('textbox', { name: 'Title' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(title)
  await field.fill('   ')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('Title is required!')
  await expectAccessible(page)
  await field.fill(`${title} renamed`)
  await press(dialog(page), 'Rename')
  await expect(toast(page)).toContainText(`Sheet renamed to “${title} renamed”.`)
  await expect(row(page, `${title} renamed`)).toBeVisible()

  await page.goto(path)
  await press(page, 'Rename')
  await field.fill(`${title} again`)
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(`${title} again`)
  expect((await api<Sheet>('GET', `/api/v1${path}`)).title).toBe(`${title} again`)
})

test('a deleted sheet can be restored from the message and from the bin', async ({ page, api, faults }) => {
  faults.allow(REFUSED)
  const { title, path } = await newSheet(api)
  await open(page, title)
  await press(page, `Delete ${title}`)
  await expect(dialog(page)).toContainText(`This deletes “${title}” with 2 rows. The sources stay.`)
  await press(dialog(page), 'Delete')
  await expect(toast(page)).toContainText('Sheet deleted.')
  await expect(page.getByText('No sheets match.')).toBeVisible()
  await press(page, 'Undo')
  await expect(toast(page)).toHaveText(`${title} restored.`)
  await expect(row(page, title)).toBeVisible()

  await page.goto(path)
  await press(page, 'Delete')
  await press(dialog(page), 'Delete')
  await expect(page).toHaveURL('/sheets')
  await expect(toast(page)).toContainText('Sheet deleted.')
  await page.goto(path)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Sheet not found.')

  await page.goto(`/bin?kind=sheet&search=${encodeURIComponent(title)}`)
  const deleted = page.getByRole('row', { name: title })
  await expect(deleted).toContainText('Sheet')
  await expect(deleted).toContainText('2 rows')
  await press(page, `Restore ${title}`)
  await expect(toast(page)).toContainText(`${title} restored.`)
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page).toHaveURL(path)
  await expect(heading(page)).toHaveText(title)
})
