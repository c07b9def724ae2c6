import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { expect } from './test.ts'
import type { Api } from './workspaces-page.ts'

/** Imports the rows as the super admin, and returns the path of the result sheet. */
export async function importRows(api: Api, sheet_records: { source_url: string; source_country?: string }[]) {
  const me = await api<{ email: string }>('GET', 'users/me')
  const body = { email: me.email, sheet_url: null, sheet_records }
  const { created_sheet_url } = await api<SourceImportResult>('POST', 'source_import/sources', body)
  return new URL(created_sheet_url ?? '', 'http://any').pathname
}

/** Clicks the button, and returns the name and text of the downloaded file. */
export const downloadFile = (page: Page, button: string) =>
  downloaded(page, page.getByRole('button', { name: button, exact: true }))

/** The same for anything else to click. */
export async function downloaded(page: Page, start: Locator) {
  const coming = page.waitForEvent('download')
  await start.click()
  const download = await coming
  const content = await readFile(await download.path())
  return { name: download.suggestedFilename(), content, text: content.toString('utf8') }
}

/** Chooses the file on a sheet's page and confirms. */
export async function replaceWith(page: Page, name: string, text: string) {
  await chooseReplacement(page, name, text)
  await page.getByRole('dialog').getByRole('button', { name: 'Replace', exact: true }).click()
}

export async function chooseReplacement(page: Page, name: string, text: string) {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Replace with a file' }).click()
  await (await choosing).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

export const grid = (page: Page) => page.getByRole('grid')

/** The cells of a row in the grid, by row number. */
export async function expectRow(page: Page, number: number, text: string | RegExp) {
  const row = grid(page)
    .locator('tbody tr')
    .filter({ has: page.getByRole('rowheader', { name: String(number), exact: true }) })
  await expect(row).toBeInViewport()
  await expect(row).toContainText(text)
}
