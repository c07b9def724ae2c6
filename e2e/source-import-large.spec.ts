import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { test } from './signed-in.ts'
import { fileField, importButton, rows } from './source-import-page.ts'
import { expect } from './test.ts'

const RECORDS = 100_000
const LONGEST_MS = 50
/** The machine may be busy with others: a task of ours is long every time, one of theirs is not. */
const TRIES = 3

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sources-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

test('100,000 records from the file picker to the result, with no task over 50 ms while they are parsed', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const path = join(folder, 'large.csv')
  const lines = Array.from({ length: RECORDS }, (_, index) => `https://t.me/large_${index},Україна,"note, ${index}"`)
  await writeFile(path, ['source_url,source_country,note', ...lines].join('\n'))
  await page.addInitScript(() => {
    const long: number[] = []
    Object.assign(window, { long })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) long.push(duration)
    }).observe({ type: 'longtask' })
  })
  await page.goto('/source_import')
  await expect(importButton(page)).toBeVisible()

  const measured: number[][] = []
  for (let attempt = 0; attempt < TRIES && (measured.at(-1)?.length ?? 1) > 0; attempt += 1) {
    measured.push(await longTasksOfReading(page, path))
  }
  expect(
    measured.at(-1),
    `tasks over ${LONGEST_MS} ms in each of ${measured.length} tries: ${JSON.stringify(measured)}`,
  ).toEqual([])

  await expect(rows(page).first()).toHaveText('2https://t.me/large_0Україна UATELEGRAMrequested')
  await page.getByRole('region', { name: 'Rows of the file' }).evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await expect(rows(page).last()).toContainText(`https://t.me/large_${RECORDS - 1}`)
  await expect(page.getByText('of 100,000', { exact: false }).last()).toBeVisible()

  await importButton(page).click()
  const result = page.getByRole('status').filter({ hasText: 'Requested' })
  await expect(result).toContainText('Requested import for 100000 of 100000 inputs:', { timeout: 120_000 })
  await result.getByRole('link').click()
  await expect(page.getByRole('grid')).toContainText('https://t.me/large_0')
  await expect(page.getByText('100,000 rows', { exact: false })).toBeVisible()
})

/** The tasks over 50 ms from the moment the file is chosen until its rows are shown. */
async function longTasksOfReading(page: Page, path: string) {
  const long = () => page.evaluate(() => Reflect.get(window, 'long') as number[])
  const before = (await long()).length
  await fileField(page).setInputFiles(path)
  await expect(page.getByText(`Loaded and parsed file into array of ${RECORDS} records.`)).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByRole('button', { name: 'requested 100,000' })).toBeVisible({ timeout: 60_000 })
  return (await long()).slice(before).filter((duration) => duration > LONGEST_MS)
}
