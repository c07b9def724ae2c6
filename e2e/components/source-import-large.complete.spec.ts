import { expectShortTasks } from '../main-thread.ts'
import { csvFile, fileField, rows } from '../source-import-page.ts'
import { expect, test } from './test.ts'

const RECORDS = 100_000
const LONGEST_MS = 100

test('100,000 records are corrected with no task that a user would notice', async ({ browser, page, open }) => {
  test.setTimeout(240_000)
  const lines = Array.from(
    { length: RECORDS },
    (_, index) => `telegram.org/large_${index},${index % 2 ? 'UA' : 'Ukarine'}`,
  )
  await open('/source_import')
  await fileField(page).setInputFiles(csvFile(['source_url,source_country', ...lines].join('\n')))
  const suggestions = page.getByRole('region', { name: 'Suggestions' }).getByRole('listitem')
  await expect(suggestions.getByRole('button', { name: /^Apply/ })).toHaveText(
    ['Apply to all 100,000', 'Apply to all 50,000'],
    { timeout: 120_000 },
  )

  await browser.startTracing(page, { categories: ['toplevel'] })
  const grid = page.getByRole('grid')
  await grid.focus()
  await page.keyboard.press('Control+End')
  await expect(rows(page).last()).toContainText('large_99999')
  await page.keyboard.press('Home')
  await page.keyboard.type('t.me/large_last')
  await page.keyboard.press('Enter')
  await expect(rows(page).last()).toContainText('t.me/large_last')
  await page.getByRole('button', { name: 'Apply to all 99,999' }).click()
  await expect(page.getByText('99,999 rows changed.')).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Apply to all 50,000' }).click()
  await expect(page.getByText('100,000 of 100,000 rows can be imported.')).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('50,000 of 100,000 rows can be imported.')).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Only problems' }).click()
  await expect(page.getByText('of 50,000', { exact: false }).last()).toBeVisible()
  await expectShortTasks(browser, LONGEST_MS)
})
