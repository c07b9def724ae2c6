import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { jobCard, LONG, sourcesFile } from './jobs-page.ts'
import { test } from './signed-in.ts'
import { fileField, importButton } from './source-import-page.ts'
import {
  importButton as importStories,
  lines,
  newNarrative,
  file as storiesField,
  storiesFile,
} from './stories-page.ts'
import { expect } from './test.ts'
import { toast } from './workspaces-page.ts'

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
  await expect(jobCard(page, name)).toBeVisible(LONG)
  const bar = page.getByRole('progressbar', { name: `Import of ${name}.csv` })
  await expect(bar).toHaveAttribute('aria-valuenow', '25', LONG)
  await expect(jobCard(page, name)).toContainText('25,000 of 100,000 rows')
  await expect(jobCard(page, name)).toContainText('You can leave this page.')
  await expectAccessible(page)

  await page.reload()
  await expect(jobCard(page, name)).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveURL(/\/users/)
  release()
  await expect(toast(page)).toContainText(`100,000 sources were imported from ${name}.csv`, LONG)
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page).toHaveURL(/\/imports\/\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${name}.csv`)
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
