import { button, chip, importFile, mixedRows, newSources, result, rowOf } from './imports-page.ts'
import { PASSWORD, seed, unique } from './seed.ts'
import { REFUSED } from './session-page.ts'
import { test } from './signed-in.ts'
import { csvFile, fileField, importButton } from './source-import-page.ts'
import { expectRow, grid } from './sources-page.ts'
import { newNarrative, rowsOf, seedStories } from './stories-page.ts'
import { expect, storeToken } from './test.ts'

/** The pages that import, and the kind of their imports. */
const PAGES = Object.entries({
  source_import: 'source_import',
  source_management: 'platform_import',
  stories_import: 'stories_import',
})
const CONFIG = '/api/v1/config/website_config'

test('an import is listed with its file, person, state, counts and proof, and leads to its page', async ({
  page,
  api,
}) => {
  const { name, path } = await importFile(api, mixedRows())
  await page.goto('/imports')
  await expect(page).toHaveTitle('Imports · Watchdesk')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Imports' })).toHaveAttribute('aria-current')
  const row = rowOf(page, name)
  await expect(row).toContainText('Source import · 2 KB')
  await expect(row).toContainText('2 added, 1 skipped, 3 failed')
  await expect(row).toContainText('Done')
  await expect(row).toContainText('Verified')
  await expect(row).toContainText('by Super Admin')
  await expect(row).toContainText(/\d s$/)
  await page.getByRole('link', { name }).click()
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await page.goBack()
  await expect(page).toHaveURL('/imports')
  await expect(page.getByRole('link', { name: 'Sheets', exact: true })).toHaveAttribute('href', '/sheets')
})

test('the list is filtered by kind, state, person, day and name, in the address', async ({ page, api }) => {
  const one = await importFile(api, newSources(1))
  const other = await importFile(api, newSources(1))
  await page.goto(`/imports?search=${one.name}`)
  await expect(rowOf(page, one.name)).toBeVisible()
  await expect(rowOf(page, other.name)).toHaveCount(0)
  await page.goto(`/imports?kind=source_import&state=done&created_by=1&from=2026-01-01&search=${other.name}`)
  await expect(rowOf(page, other.name)).toBeVisible()
  await page.goto(`/imports?to=2026-01-01`)
  await expect(page.getByText('No imports match.')).toBeVisible()
  await button(page, 'Show all imports').click()
  await expect(page).toHaveURL('/imports')
  await expect(rowOf(page, other.name)).toBeVisible()
  await page.goto(`/imports?kind=export&search=${other.name}`)
  await expect(page.getByText('No imports match.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No imports match.')).toBeVisible()

  await page.goto('/imports')
  await button(page, 'Add filter').click()
  await button(page, 'Kind').click()
  await page.getByRole('option', { name: 'Source imports' }).click()
  await button(page, 'Add filter').click()
  await button(page, 'Person').click()
  await page.getByRole('option', { name: /Super Admin/ }).click()
  await expect(page).toHaveURL('/imports?kind=source_import&created_by=1')
  await expect(rowOf(page, other.name)).toBeVisible()
  await button(page, 'Remove Kind: Source imports').click()
  await expect(page).toHaveURL('/imports?created_by=1')
  await page.goBack()
  await expect(button(page, 'Kind: Source imports')).toBeVisible()
  await button(page, 'Clear').click()
  await expect(page).toHaveURL('/imports')
})

test('the page of an import shows its result, its proof and every row with a reason in words', async ({
  page,
  api,
}) => {
  const { path, name, result: sent } = await importFile(api, mixedRows())
  await page.goto(path)
  await expect(result(page)).toContainText('2 of 6 rows added')
  await expect(result(page)).toContainText('Verified: 2 of 2 stored')
  await expect(page.getByText(/^Source import by Super Admin on .* · 2 KB · took /)).toBeVisible()
  await expect(grid(page)).toHaveAccessibleName(`Rows of ${name}`)
  await expectRow(page, 1, /requested.*The source was added\./)
  await expectRow(page, 6, /Atlantis.*The country is not known\. Write its name or two-letter code\./)
  await chip(page, 'unknown country').press('Enter')
  await expect(page).toHaveURL(`${path}?outcome=unknown+country`)
  await expect(grid(page).getByRole('rowheader')).toHaveText(['6'])
  await page.reload()
  await expect(chip(page, 'unknown country')).toHaveAttribute('aria-pressed', 'true')
  await expect(grid(page).getByRole('rowheader')).toHaveText(['6'])
  await page.goBack()
  await expect(grid(page).getByRole('rowheader')).toHaveCount(6)
  // A part of the bar does the same with the mouse.
  await page.getByTitle('requested: 2').click()
  await expect(grid(page).getByRole('rowheader')).toHaveText(['1', '2'])
  await page.getByTitle('requested: 2').click()
  await expect(grid(page).getByRole('rowheader')).toHaveCount(6)
  await page.goto(`${path}?outcome=gossip`)
  await expect(page).toHaveURL(path)

  await expect(page.getByRole('link', { name: 'Show its sources' })).toHaveAttribute(
    'href',
    `/sources?import_id=${path.split('/').at(-1)}`,
  )
  await page.getByRole('link', { name: 'Open the created sheet' }).click()
  await expect(page).toHaveURL(new URL(sent.created_sheet_url ?? '').pathname)
  await page.goBack()
  await page.getByRole('link', { name: 'Show in Activity' }).click()
  await expect(page.getByText('added 2 of 6 sources')).toBeVisible()
})

test('platform imports, exports, stories imports and failed imports have their own words', async ({
  page,
  api,
  watchdesk,
}) => {
  const transfer = <Result>(type: 'import' | 'export') =>
    api<Result>('POST', `/api/v1/source_management/${type}`, { platform: 'VK', type })
  await api('PATCH', CONFIG, { sources_sheet_vk: '' })
  const failed = await transfer<{ error_message: string }>('import')
  expect(failed.error_message).toContain('No sheet is set')
  await page.goto('/imports?kind=platform_import')
  const first = page.getByRole('row').nth(1)
  await expect(first).toContainText('Failed')
  await expect(first).toContainText('No sheet is set')
  await first.getByRole('link').click()
  await expect(result(page)).toContainText('Failed. Nothing was changed.')
  await expect(result(page)).toContainText('No sheet is set')
  await expect(button(page, 'Undo import')).toHaveCount(0)

  const exported = await transfer<{ import_id: number }>('export')
  await page.goto(`/imports/${exported.import_id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('VK export')
  await expect(result(page)).toContainText('0 sources exported')

  const narrative = newNarrative()
  await seedStories(page, watchdesk, rowsOf(narrative, 3))
  await page.goto('/imports?kind=stories_import')
  await page.getByRole('row').nth(1).getByRole('link').click()
  await expect(result(page)).toContainText('3 of 3 rows imported')
  await expect(result(page)).toContainText('Verified: 3 of 3 stored')
  for (const [path, kind] of PAGES) {
    await page.goto(`/${path}`)
    await page.getByRole('link', { name: 'Earlier imports' }).click()
    await expect(page).toHaveURL(`/imports?kind=${kind}`)
  }
})

test('failed rows are downloaded, corrected and imported again', async ({ page, api }) => {
  const rows = mixedRows()
  const { path } = await importFile(api, rows)
  await page.goto(path)
  await button(page, 'Download failed rows').click()
  await expect(page.getByText('3 rows in the columns of an import file.')).toBeVisible()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV file' }).click()
  const download = await coming
  const chunks = await (await download.createReadStream()).toArray()
  const text = Buffer.concat(chunks).toString('utf8')
  expect(text.trim().split('\r\n')).toHaveLength(4)
  expect(text).toContain('Atlantis')
  const corrected = text.replace('Atlantis', 'Austria')

  await page.goto('/source_import')
  await fileField(page).setInputFiles(csvFile(corrected, 'corrected.csv'))
  await importButton(page).click()
  await expect(page.getByText('Requested import for 1 of 3 inputs:')).toBeVisible()
  await expect(page.getByText('Verified: 1 of 1 stored')).toBeVisible()
  await page.getByRole('link', { name: 'See the import' }).click()
  await expect(result(page)).toContainText('1 of 3 rows added')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('corrected.csv')
})

test('an import with nothing new does not look like a success', async ({ page, api }) => {
  const rows = newSources(1)
  await importFile(api, rows)
  await page.goto('/source_import')
  await fileField(page).setInputFiles(csvFile(`source_url\r\n${rows[0]?.source_url}\r\n`))
  await importButton(page).click()
  const card = page.getByRole('main').getByRole('status').filter({ hasText: 'No new sources' })
  await expect(card).toContainText('Requested import for 0 of 1 inputs:')
  await expect(card).toHaveAttribute('data-kind', 'nothing')
})

test('an XLSX file of failed rows can be downloaded too', async ({ page, api }) => {
  const { path } = await importFile(api, mixedRows())
  await page.goto(path)
  await button(page, 'Download failed rows').click()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'XLSX file' }).click()
  expect((await coming).suggestedFilename()).toMatch(/ - failed rows\.xlsx$/)
  await expect(button(page, 'Download failed rows')).toBeFocused()
})

test('a missing import shows an error with a way to the list', async ({ page, faults }) => {
  faults.allow(REFUSED)
  for (const id of ['2147483647', 'abc', '99999999999']) {
    await page.goto(`/imports/${id}`)
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Import not found.')
    await page.getByRole('link', { name: 'Go to Imports' }).click()
    await expect(page).toHaveURL('/imports')
  }
  await page.goto('/sources/abc')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Source not found.')
  await page.getByRole('link', { name: 'Back to sources' }).click()
  await expect(page).toHaveURL('/sources')
})

test('a list that is opened offline says so, and loads by itself once online', async ({
  page,
  api,
  context,
  faults,
}) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED/)
  const { name } = await importFile(api, newSources(1))
  // Loads the code of both pages.
  await page.goto('/imports')
  await expect(rowOf(page, name)).toBeVisible()
  const menu = page.getByRole('navigation')
  await menu.getByRole('link', { name: 'Source import' }).click()
  await expect(page.getByRole('link', { name: 'Earlier imports' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Earlier imports' }).click()
  await expect(page).toHaveURL('/imports?kind=source_import')
  const failure = page.getByRole('main').getByRole('alert')
  await expect(failure).toContainText('You are offline.')
  await expect(failure.getByRole('button', { name: 'Try again' })).toBeVisible()
  await context.setOffline(false)
  await expect(rowOf(page, name)).toBeVisible()
  // Nor are the rows of another filter shown instead.
  await context.setOffline(true)
  await page.getByRole('searchbox').fill(name)
  await expect(failure).toContainText('You are offline.')
  await context.setOffline(false)
  await expect(page.getByText('1 import found')).toBeVisible()
})

test('a workspace admin sees no imports, and a visitor is sent to login', async ({ page, api, watchdesk }) => {
  const { path } = await importFile(api, newSources(1))
  const admin = await seed(page, watchdesk)
  const { id } = await admin.workspace(unique('Desk'))
  const { email } = await admin.user(id, { is_admin: true })
  const login = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  await storeToken(page, watchdesk.url, (await login.json()).access_token)
  for (const address of ['/imports', path]) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText("You don't have access to this page")
  }
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Imports' })).toHaveCount(0)
  await page.evaluate(() => localStorage.clear())
  await page.goto(path)
  await expect(page).toHaveURL('/login')
})

test('rows are cards on a phone, with the reason on a line of its own', async ({ page, api }) => {
  const { path, name } = await importFile(api, mixedRows())
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/imports')
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('2 added, 1 skipped, 3 failed')
  await page.goto(path)
  await grid(page).getByRole('row').last().scrollIntoViewIfNeeded()
  await expectRow(page, 6, 'The country is not known. Write its name or two-letter code.')
})
