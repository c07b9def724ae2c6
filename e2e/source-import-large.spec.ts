import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from './signed-in.ts'
import { fileField, importButton, rows } from './source-import-page.ts'
import { expect } from './test.ts'

const RECORDS = 100_000
const LONGEST_MS = 50

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sources-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

test('100,000 records from the file picker to the result, with no task over 50 ms while they are parsed', async ({
  browser,
  page,
}) => {
  test.setTimeout(240_000)
  const path = join(folder, 'large.csv')
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
  const tasks = mainThreadTasks(JSON.parse(String(await browser.stopTracing())))
  expect(tasks.length).toBeGreaterThan(100)
  expect(Math.max(...tasks)).toBeLessThan(LONGEST_MS)

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

test('100,000 records are corrected with no task that a user would notice', async ({ browser, page }) => {
  test.setTimeout(240_000)
  const path = join(folder, 'wrong.csv')
  const lines = Array.from(
    { length: RECORDS },
    (_, index) => `telegram.org/large_${index},${index % 2 ? 'UA' : 'Ukarine'}`,
  )
  await writeFile(path, ['source_url,source_country', ...lines].join('\n'))
  await page.goto('/source_import')
  await fileField(page).setInputFiles(path)
  const suggestions = page.getByRole('region', { name: 'Suggestions' }).getByRole('listitem')
  await expect(suggestions.getByRole('button', { name: /^Apply/ })).toHaveText(
    ['Apply to all 100,000', 'Apply to all 50,000'],
    { timeout: 120_000 },
  )

  await browser.startTracing(page, { categories: ['toplevel'] })
  const grid = page.getByRole('grid')
  await grid.focus()
  await page.keyboard.press('Control+End')
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
  const tasks = mainThreadTasks(JSON.parse(String(await browser.stopTracing())))
  expect(tasks.length).toBeGreaterThan(100)
  expect(Math.max(...tasks)).toBeLessThan(2 * LONGEST_MS)
})

type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }

/** The CPU time of each main-thread task in milliseconds, which excludes waiting for a busy machine. */
function mainThreadTasks({ traceEvents }: { traceEvents: TraceEvent[] }) {
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  return traceEvents
    .filter(({ name }) => name === 'ThreadControllerImpl::RunTask')
    .filter(({ pid, tid }) => threads.some((thread) => thread.pid === pid && thread.tid === tid))
    .map(({ tdur = 0 }) => tdur / 1000)
}
