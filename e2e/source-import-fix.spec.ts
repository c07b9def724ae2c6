import { result } from './imports-page.ts'
import { chip, csvFile, fileField, importButton, rows } from './source-import-page.ts'
import { downloaded } from './sources-page.ts'
import { expect } from './test.ts'
import { test, unique } from './workspaces-page.ts'

test('rows keep the numbers of the file after others are skipped; failed ones are downloaded, corrected and imported again', async ({
  page,
}) => {
  const name = unique('numbered')
  const urls = Array.from({ length: 600 }, (_, index) => `https://t.me/${name}_${index}`)
  urls[597] = 'nonsense'
  await page.goto('/source_import')
  // Each row is followed by a blank one, so no two numbers form a range.
  await fileField(page).setInputFiles(csvFile(['source_url', ...urls].join('\n\n')))
  const row = rows(page).filter({ hasText: `${name}_10` })
  await row.getByText(name).click()
  await row.getByRole('button', { name: 'Skip row 23' }).click()
  await expect(row).toContainText('skipped')
  await importButton(page).click()
  await expect(page.getByText('Requested import for 598 of 599 inputs:')).toBeVisible()
  await expect(page.getByText('sources.csv. 1 row skipped in the preview.')).toBeVisible()

  await page.getByRole('link', { name: 'See the import' }).click()
  await expect(page.getByRole('main')).toContainText('1 row skipped in the preview')
  await chip(page, 'invalid URL').click()
  const shown = page.getByRole('main').locator('tbody tr').filter({ hasText: 'nonsense' })
  await expect(shown).toHaveText(/1,?197/)
  await page.getByRole('button', { name: 'Download failed rows' }).click()
  const { text } = await downloaded(page, page.getByRole('menuitem', { name: 'CSV file' }))
  expect(text.trim().split('\r\n').slice(1)).toEqual([expect.stringMatching(/^1197,nonsense,/)])

  await page.getByRole('link', { name: 'Source import', exact: true }).click()
  const corrected = csvFile(text.replace('nonsense', `t.me/${name}_corrected`), 'corrected.csv')
  await fileField(page).setInputFiles(corrected)
  await importButton(page).click()
  await expect(page.getByText('Requested import for 1 of 1 inputs:')).toBeVisible()
  await page.getByRole('link', { name: 'See the import' }).click()
  await expect(result(page)).toContainText('1 of 1 row added')
})
