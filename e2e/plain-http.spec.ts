import { unique } from './seed.ts'
import { BROKEN } from './session-page.ts'
import { alert, csvFile, fileField, importButton } from './source-import-page.ts'
import { expectRow, grid, replaceWith } from './sources-page.ts'
import * as stories from './stories-page.ts'
import { expect, storeToken, test } from './test.ts'

/** The console under a host name that is neither HTTPS nor localhost, as in an office network. */
test.use({ baseURL: ({ watchdesk }, use) => use(watchdesk.url.replace('127.0.0.1', 'watchdesk.test')) })

test.beforeEach(async ({ page, watchdesk, baseURL, faults }) => {
  const data = { email: watchdesk.email, password: watchdesk.password }
  const login = await page.request.post(`${watchdesk.url}/api/v1/login`, { data })
  faults.allowOrigin(String(baseURL))
  // A header that only works over HTTPS.
  faults.allow(/Cross-Origin-Opener-Policy header has been ignored/)
  await storeToken(page, String(baseURL), (await login.json()).access_token)
  await page.goto('/')
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
})

test('on plain http, a file of sources is imported, exported, imported from its sheet, and the sheet replaced', async ({
  page,
}) => {
  const name = unique('plain')
  await page.goto('/source_import')
  await fileField(page).setInputFiles(csvFile(`source_url\nhttps://youtube.com/@${name}\n`))
  await importButton(page).click()
  await expect(page.getByRole('status').filter({ hasText: 'Requested import for 1 of 1 inputs:' })).toBeVisible()

  await page.goto('/source_management')
  await page.getByRole('combobox', { name: 'Platform' }).click()
  await page.getByRole('option', { name: 'YOUTUBE', exact: true }).click()
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

test('on plain http, sources are imported from a spreadsheet, or the page says why not', async ({ page, faults }) => {
  faults.allow(BROKEN)
  await page.route('**/api/v1/source_import/sources', (route) =>
    route.fulfill({ status: 503, json: { detail: 'Busy.' } }),
  )
  await page.goto('/source_import')
  await page.getByLabel('Spreadsheet URL').fill('https://docs.google.com/spreadsheets/d/abc')
  await importButton(page).click()
  await expect(alert(page)).toContainText('Could not import sources due to error: Busy.')
})

test('on plain http, stories are imported, and the date of their vectorization is copied', async ({ page }) => {
  const narrative = stories.newNarrative()
  await page.goto('/stories_import')
  await stories.file(page).setInputFiles(stories.storiesFile(stories.rowsOf(narrative, 2)))
  await stories.importButton(page).click()
  await expect(stories.lines(page)).toContainText(`2 stories imported into narrative ${narrative}`)

  await page.getByRole('link', { name: `Vectorize narrative ${narrative}` }).click()
  await page.getByRole('button', { name: 'Trigger vectorization' }).click()
  const copy = page.getByRole('button', { name: 'Copy', exact: true })
  await copy.click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeFocused()
  const date = await page.getByRole('main').locator('code').first().innerText()
  // Pasted like a user would.
  const field = page.getByRole('textbox', { name: 'Execution date' })
  await field.fill('')
  await field.press('ControlOrMeta+v')
  await expect(field).toHaveValue(date)
})

test('on plain http, the password of a new user is copied from the form and from the panel', async ({ page }) => {
  const name = unique('plain')
  await page.goto('/users/create?workspace_id=1')
  await page.getByRole('button', { name: 'Generate' }).click()
  const password = await page.getByRole('textbox', { name: 'Password' }).inputValue()
  await page.getByRole('button', { name: 'Copy password' }).click()
  await expect(page.getByRole('button', { name: 'Password copied' })).toBeFocused()
  const field = page.getByRole('textbox', { name: 'First name' })
  await field.press('ControlOrMeta+v')
  await expect(field).toHaveValue(password)

  await field.fill('Olena')
  await page.getByRole('textbox', { name: 'Last name' }).fill(name)
  await page.getByRole('textbox', { name: 'Email' }).fill(`${name}@example.com`)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('button', { name: `Copy password of Olena ${name}` }).click()
  const search = page.getByRole('searchbox')
  await search.press('ControlOrMeta+v')
  await expect(search).toHaveValue(password)
})
