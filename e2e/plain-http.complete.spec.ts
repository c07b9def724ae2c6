import { BROKEN } from './session-page.ts'
import { alert, csvFile, fileField, importButton, urlField } from './source-import-page.ts'
import { choose, openPage } from './source-management-page.ts'
import { expectRow, grid, replaceWith } from './sources-page.ts'
import { expect, storeToken, test } from './test.ts'
import { logIn } from './watchdesk.ts'
import { unique } from './workspaces-page.ts'

/** The console under a host name that is neither HTTPS nor localhost, as in an office network. */
test.use({
  hasOwnTab: true,
  baseURL: ({ watchdesk }, use) => use(watchdesk.url.replace('127.0.0.1', 'watchdesk.test')),
})

test.beforeEach(async ({ page, watchdesk, baseURL, faults }) => {
  faults.allowOrigin(String(baseURL))
  // A header that only works over HTTPS.
  faults.allow(/Cross-Origin-Opener-Policy header has been ignored/)
  await storeToken(page, String(baseURL), await logIn(watchdesk.url, watchdesk))
  await page.goto('/')
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
})

test('on plain http, sources are imported from a spreadsheet, or the page says why not; a file is imported, exported, imported from its sheet, and the sheet replaced', async ({
  page,
  faults,
}) => {
  faults.allow(BROKEN)
  const busy = { status: 503, json: { detail: 'Busy.' } }
  await page.route('**/api/v1/source_import/sources', (route) => route.fulfill(busy), { times: 1 })
  await page.goto('/source_import')
  await urlField(page).fill('https://docs.google.com/spreadsheets/d/abc')
  await importButton(page).click()
  await expect(alert(page)).toContainText('Could not import sources due to error: Busy.')

  const name = unique('plain')
  await urlField(page).fill('')
  await fileField(page).setInputFiles(csvFile(`source_url\nhttps://youtube.com/@${name}\n`))
  await importButton(page).click()
  await expect(page.getByRole('status').filter({ hasText: 'Requested import for 1 of 1 inputs:' })).toBeVisible()

  await openPage(page)
  await choose(page, 'YOUTUBE')
  const result = page.getByRole('main').getByRole('status')
  await page.getByRole('button', { name: 'Export sources' }).click()
  await expect(result.getByRole('link', { name: 'Open the sheet' })).toBeVisible()
  await page.getByRole('button', { name: 'Import sources' }).click()
  await expect(result).toContainText('YOUTUBE sources imported.')

  await result.getByRole('link', { name: 'Open the sheet' }).click()
  await expect(grid(page)).toContainText(name)
  await replaceWith(page, 'new.csv', `source_url,source_country\nhttps://youtube.com/@${name}_2,UA\n`)
  await expectRow(page, 1, `${name}_2`)
  await expect(alert(page)).toHaveCount(0)
})
