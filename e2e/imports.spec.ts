import { button, chip, importFile, mixedRows, result, rowOf } from './imports-page.ts'
import { test } from './signed-in.ts'
import { csvFile, fileField, importButton } from './source-import-page.ts'
import { expectRow, grid } from './sources-page.ts'
import { expect } from './test.ts'

test('an import is listed with its file, person, state, counts and proof, and its page shows its result, its proof and every row with a reason in words', async ({
  page,
  api,
}) => {
  const { name, path, result: sent } = await importFile(api, mixedRows())
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

test('failed rows are downloaded, corrected and imported again, and an import with nothing new does not look like a success', async ({
  page,
  api,
}) => {
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
  await button(page, 'Download failed rows').click()
  const other = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'XLSX file' }).click()
  expect((await other).suggestedFilename()).toMatch(/ - failed rows\.xlsx$/)
  await expect(button(page, 'Download failed rows')).toBeFocused()

  await page.goto('/source_import')
  await fileField(page).setInputFiles(csvFile(corrected, 'corrected.csv'))
  await importButton(page).click()
  await expect(page.getByText('Requested import for 1 of 3 inputs:')).toBeVisible()
  await expect(page.getByText('Verified: 1 of 1 stored')).toBeVisible()
  await page.getByRole('link', { name: 'See the import' }).click()
  await expect(result(page)).toContainText('1 of 3 rows added')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('corrected.csv')

  await page.goto('/source_import')
  await fileField(page).setInputFiles(csvFile(`source_url\r\n${rows[0]?.source_url}\r\n`))
  await importButton(page).click()
  const card = page.getByRole('main').getByRole('status').filter({ hasText: 'No new sources' })
  await expect(card).toContainText('Requested import for 0 of 1 inputs:')
  await expect(card).toHaveAttribute('data-kind', 'nothing')
})
