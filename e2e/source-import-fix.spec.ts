import { readFile } from 'node:fs/promises'
import { unique } from './seed.ts'
import { test } from './signed-in.ts'
import { chip, csvFile, fileField, importButton, rows } from './source-import-page.ts'
import { expect } from './test.ts'

test('rows keep the numbers of the file after others are skipped, with any number of gaps', async ({ page }) => {
  const name = unique('numbered')
  for (const [count, separator, skipped, wrong] of [
    [60, '\n', 12, 59],
    // Each row is followed by a blank one, so no two numbers form a range.
    [600, '\n\n', 23, 1197],
  ] as const) {
    const urls = Array.from({ length: count }, (_, index) => `https://t.me/${name}_${count}_${index}`)
    urls[count - 3] = 'nonsense'
    await page.goto('/source_import')
    await fileField(page).setInputFiles(csvFile(['source_url', ...urls].join(separator)))
    const row = rows(page).filter({ hasText: `${name}_${count}_10` })
    await row.getByText(name).click()
    await row.getByRole('button', { name: `Skip row ${skipped}` }).click()
    await expect(row).toContainText('skipped')
    await importButton(page).click()
    await expect(page.getByText(`Requested import for ${count - 2} of ${count - 1} inputs:`)).toBeVisible()
    await expect(page.getByText('sources.csv. 1 row skipped in the preview.')).toBeVisible()

    await page.getByRole('link', { name: 'See the import' }).click()
    await expect(page.getByRole('main')).toContainText('1 row skipped in the preview')
    await page.getByRole('button', { name: 'Download failed rows' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV file' }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
    expect(lines.slice(1)).toEqual([expect.stringMatching(new RegExp(`^${wrong},nonsense,`))])
    await chip(page, 'invalid URL').click()
    const shown = page.getByRole('main').locator('tbody tr').filter({ hasText: 'nonsense' })
    await expect(shown).toHaveText(new RegExp(wrong.toLocaleString('en').replace(',', ',?')))
  }
})
