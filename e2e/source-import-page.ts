import type { Page } from '@playwright/test'

export const urlField = (page: Page) => page.getByLabel('Spreadsheet URL')
export const fileField = (page: Page) => page.getByLabel('File', { exact: true })
export const importButton = (page: Page) => page.getByRole('button', { name: 'Import sources' })
export const chip = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Filter by outcome' }).getByRole('button', { name })
export const rows = (page: Page) => page.getByRole('region', { name: 'Rows of the file' }).locator('tbody tr')
export const alert = (page: Page) => page.getByRole('main').getByRole('alert')

export function csvFile(text: string, name = 'sources.csv') {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(text) }
}

/** A row of every outcome that can be determined from the file alone, and a blank one. */
export const MESSY = [
  'source_url;source_country;note',
  'https://t.me/messy_one;Україна;first',
  'https://www.t.me/messy_one/;UA;again',
  '',
  'https://example.com/page;UA;',
  'no address;;',
  'https://t.me/messy_two;Atlantis;',
  'https://facebook.com/profile.php?id=77;Poland;',
].join('\r\n')
