import { writeFile } from 'node:fs/promises'
import { expectShortTasks } from './main-thread.ts'
import { fileField, importButton, rows } from './source-import-page.ts'
import { expect } from './test.ts'
import { test } from './workspaces-page.ts'

const RECORDS = 100_000
const LONGEST_MS = 50

test('100,000 records from the file picker to the result, with no long task while they are parsed', async ({
  browser,
  page,
}, testInfo) => {
  test.setTimeout(240_000)
  const path = testInfo.outputPath('large.csv')
  const lines = Array.from({ length: RECORDS }, (_, index) => `https://t.me/large_${index},Україна,"note, ${index}"`)
  await writeFile(path, ['source_url,source_country,note', ...lines].join('\n'))
  await page.goto('/source_import')
  await expect(importButton(page)).toBeVisible()

  await browser.startTracing(page, { categories: ['toplevel'] })
  await fileField(page).setInputFiles(path)
  await expect(page.getByText(`Loaded and parsed file into array of ${RECORDS} records.`)).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByRole('button', { name: 'ready 100,000' })).toBeVisible({ timeout: 60_000 })
  await expectShortTasks(browser, LONGEST_MS)

  await expect(rows(page).first()).toHaveText('2https://t.me/large_0Україна UATELEGRAMready')
  await page.getByRole('region', { name: 'Rows of the file' }).evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await expect(rows(page).last()).toContainText(`https://t.me/large_${RECORDS - 1}`)
  await expect(page.getByText('of 100,000', { exact: false }).last()).toBeVisible()

  await importButton(page).click()
  const result = page.getByRole('status').filter({ hasText: 'Requested' })
  await expect(result).toContainText('Requested import for 100000 of 100000 inputs:', { timeout: 120_000 })
  await result.getByRole('link', { name: 'Open the created sheet' }).click()
  await expect(page.getByRole('grid')).toContainText('https://t.me/large_0')
  await expect(page.getByText('100,000 rows', { exact: false })).toBeVisible()
})
