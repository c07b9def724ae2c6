import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { LONG, postJob, sourcesFile } from './jobs-page.ts'
import { test } from './signed-in.ts'
import { csvFile, fileField, importButton } from './source-import-page.ts'
import {
  importButton as importStories,
  lines,
  newNarrative,
  file as storiesField,
  storiesFile,
} from './stories-page.ts'
import { expect } from './test.ts'
import { toast } from './workspaces-page.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name: `Import of ${name}.csv` })

/** Shows the job as running until it is released, however soon it ends. */
async function keepRunning(page: Page, name: string) {
  let isHeld = true
  await page.route('**/api/v1/jobs/', async (route) => {
    const response = await route.fetch()
    const { jobs } = await response.json()
    const progress = { step: 'checking', done: 25_000, total: 100_000 }
    const running = { state: 'running', progress, finished_at: null, sources: null, stories: null, error: null }
    const isShown = (job: { name: string }) => isHeld && job.name === `${name}.csv`
    const shown = jobs.map((job: { name: string }) => (isShown(job) ? { ...job, ...running } : job))
    await route.fulfill({ response, json: { jobs: shown } })
  })
  return () => {
    isHeld = false
  }
}

test('100,000 rows are imported in the background, and a message tells so on another page', async ({ page }) => {
  test.setTimeout(300_000)
  const name = 'background'
  await page.goto('/source_import')
  const release = await keepRunning(page, name)
  await fileField(page).setInputFiles(sourcesFile(100_000, name))
  await expect(page.getByText('100,000 of 100,000 rows can be imported.')).toBeVisible(LONG)
  await importButton(page).click()
  await expect(card(page, name)).toBeVisible(LONG)
  const bar = page.getByRole('progressbar', { name: `Import of ${name}.csv` })
  await expect(bar).toHaveAttribute('aria-valuenow', '25', LONG)
  await expect(card(page, name)).toContainText('25,000 of 100,000 rows')
  await expect(card(page, name)).toContainText('You can leave this page.')
  await expectAccessible(page)

  await page.reload()
  await expect(card(page, name)).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveURL(/\/users/)
  release()
  await expect(toast(page)).toContainText(`100,000 sources were imported from ${name}.csv`, LONG)
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page).toHaveURL(/\/imports\/\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${name}.csv`)
})

test('on the page itself, the result is shown without another message', async ({ page }) => {
  test.setTimeout(300_000)
  const name = 'stayed'
  await page.goto('/source_import')
  await fileField(page).setInputFiles(sourcesFile(20_001, name))
  await expect(page.getByText('20,001 of 20,001 rows can be imported.')).toBeVisible(LONG)
  await importButton(page).click()
  const result = page.getByRole('status').filter({ hasText: 'Requested' })
  await expect(result).toContainText('Requested import for 20001 of 20001 inputs:', LONG)
  await expect(result.getByRole('link', { name: 'See the import' })).toBeVisible()
  await expect(page.getByText('sources were imported from')).toHaveCount(0)
})

test('a job can be cancelled, and nothing is imported', async ({ page }) => {
  test.setTimeout(300_000)
  const name = 'cancelled'
  await page.goto('/source_import')
  await fileField(page).setInputFiles(sourcesFile(20_001, name))
  await expect(page.getByText('20,001 of 20,001 rows can be imported.')).toBeVisible(LONG)
  // A server carries out one job at a time, so the next one waits.
  const before = await postJob(page, sourcesFile(300_000, 'before'))
  await importButton(page).click()
  await expect(card(page, name)).toContainText('Waiting to start', LONG)
  await card(page, name).getByRole('button', { name: 'Cancel' }).click()
  const ended = page.getByRole('status').filter({ hasText: `Import cancelled: ${name}.csv` })
  await expect(ended).toContainText(/Cancelled by .*Nothing was imported\./, LONG)
  await expectAccessible(page)
  await before.cancel()
})

test('a file that turns out to be wrong fails with the reason', async ({ page }) => {
  test.setTimeout(300_000)
  const name = 'wrong'
  await page.goto('/source_import')
  const release = await keepRunning(page, name)
  await postJob(page, csvFile('url\nhttps://t.me/a', `${name}.csv`))
  await page.reload()
  await expect(card(page, name)).toBeVisible()
  release()
  const failed = page.getByRole('main').getByRole('alert')
  await expect(failed).toContainText(`Import failed: ${name}.csv`, LONG)
  await expect(failed).toContainText('The file has no column source_url.')
  await expectAccessible(page)
})

test('a large file of stories is imported in the background', async ({ page }) => {
  test.setTimeout(300_000)
  const narrative = newNarrative()
  const story = 'Bread and salt. '.repeat(60)
  const rows = Array.from(
    { length: 10_000 },
    (_, index) => [narrative, `TELEGRAM:POST:${index}`, `${index} ${story}`, 0.5] as [number, string, string, number],
  )
  await page.goto('/stories_import')
  await storiesField(page).setInputFiles(storiesFile(rows, 'large-stories.csv'))
  const queued = page.waitForResponse('**/api/v1/stories-import/jobs')
  await importStories(page).click()
  expect((await queued).status()).toBe(202)
  await expect(lines(page)).toContainText(`10000 stories imported into narrative ${narrative}`, LONG)
})
