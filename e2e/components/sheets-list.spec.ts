import type { Locator, Page } from '@playwright/test'
import { deleteSheet, type ListedSheet, listSheets, updateSheet } from '@watchdesk/contract/sheets'
import { answerList, expect, test } from './test.ts'

const LISTED: ListedSheet = {
  id: 7,
  title: 'Channels',
  origin: 'source_import',
  row_count: 2,
  created_at: '2026-11-15T09:30:00Z',
  created_by: null,
  version: 3,
  bytes: 90,
  updated_at: '2026-11-15T09:30:00Z',
  created_by_import: null,
  config_keys: [],
  days_left: 90,
}

const row = (page: Page, title: string) => page.getByRole('table', { name: 'Sheets' }).getByRole('row', { name: title })
const dialog = (page: Page) => page.getByRole('dialog')
const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click()

test('search, filter and order are in the address', async ({ page, backend, open }) => {
  const sheets = [LISTED, { ...LISTED, id: 8, title: 'Groups' }]
  backend.answer(listSheets, ({ query }) => {
    const objects = query.origin ? [] : query.sort === '-title' ? sheets.toReversed() : sheets
    return { objects, total: objects.length, size: 20 }
  })
  const titles = page.getByRole('table').getByRole('link')
  await open('/sheets')
  await page.getByRole('searchbox', { name: 'Search title' }).fill('S')
  await expect.poll(() => backend.calls(listSheets).at(-1)?.query.search).toBe('S')
  await expect(titles).toHaveText(['Channels', 'Groups'])
  await press(page, 'Title')
  await press(page, 'Title')
  await expect(titles).toHaveText(['Groups', 'Channels'])
  await expect(page).toHaveURL(/search=.*sort=-title|sort=-title.*search=/)
  const { pathname, search } = new URL(page.url())
  await open(`${pathname}${search}`)
  await expect(titles).toHaveText(['Groups', 'Channels'])
  await open('/sheets?origin=source_management&search=S')
  await expect(page.getByText('No sheets match.')).toBeVisible()
  expect(backend.calls(listSheets).at(-1)?.query).toMatchObject({ origin: 'source_management', search: 'S' })
  await press(page, 'Show all sheets')
  await expect(titles).toHaveText(['Channels', 'Groups'])
  await expect(page).toHaveURL('/sheets')
})

test('a title that somebody else changed meanwhile is not overwritten', async ({ page, backend, open }) => {
  const sheets = [LISTED]
  answerList(backend, listSheets, sheets)
  backend.refuse(updateSheet, 412, `This sheet was changed by Vera Moroz at ${new Date().toISOString()}.`)
  await open('/sheets')
  await press(page, 'Rename Channels')
  sheets[0] = { ...LISTED, title: 'Theirs', version: 4 }
  await dialog(page).getByRole('textbox').fill('Mine')
  await press(dialog(page), 'Rename')
  await expect(dialog(page)).toContainText(/This sheet was changed by Vera Moroz today at/)
  expect(backend.calls(updateSheet).map(({ headers }) => headers['if-match'])).toEqual(['"3"'])
  await press(dialog(page), 'Cancel')
  await expect(row(page, 'Theirs')).toBeVisible()
})

test('a sheet that the website config uses is marked, and cannot be deleted', async ({ page, backend, open }) => {
  answerList(backend, listSheets, [
    { ...LISTED, origin: 'source_management', config_keys: ['sources_sheet_ok'], days_left: null },
  ])
  backend.refuse(deleteSheet, 409, 'The website config uses this sheet as sources_sheet_ok.')
  await open('/sheets')
  await expect(row(page, 'Channels')).toContainText('Used by website config')
  await expect(row(page, 'Channels')).toContainText('never')
  await expect(row(page, 'Channels')).toContainText('Source management')
  await press(page, 'Delete Channels')
  await press(dialog(page), 'Delete')
  const refused = page.locator('[data-kind=error]')
  await expect(refused).toContainText('The website config uses this sheet as sources_sheet_ok.')
  await expect(row(page, 'Channels')).toBeVisible()
  await refused.getByRole('link', { name: 'Open the website config' }).click()
  await expect(page).toHaveURL('/website_config')
})
