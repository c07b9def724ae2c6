import type { Page } from '@playwright/test'
import { cancelJob, createSourceJob, type Job, listJobs } from '@watchdesk/contract/jobs'
import { expectAccessible } from '../accessible.ts'
import { toast } from '../imports-page.ts'
import { aJob, jobCard, sourcesFile } from '../jobs-page.ts'
import { fileField, importButton } from '../source-import-page.ts'
import type { Backend } from './backend.ts'
import { expect, test } from './test.ts'

const QUEUED = aJob({ state: 'queued', progress: { step: 'waiting', done: 0, total: null } })
const ended = (fields: Partial<Job>) => ({ ...QUEUED, progress: null, ...fields })

/** Imports just too many rows for a call. The job waits. */
async function importMany(page: Page, backend: Backend) {
  backend.answer(createSourceJob, () => {
    backend.answer(listJobs, { jobs: [QUEUED] })
    return QUEUED
  })
  await fileField(page).setInputFiles(sourcesFile(20_001, 'large'))
  await expect(page.getByText('20,001 of 20,001 rows can be imported.')).toBeVisible()
  await importButton(page).click()
  await expect(jobCard(page, 'large')).toContainText('Waiting to start')
}

const sources = {
  error_message: null,
  requested_count: 20_001,
  inputs_count: 20_001,
  created_sheet_url: null,
  import_id: 7,
}

test('a message on another page tells that a job has ended', async ({ page, backend, open }) => {
  backend.answer(listJobs, { jobs: [aJob()] })
  await open('/source_import')
  const bar = page.getByRole('progressbar', { name: 'Import of large.csv' })
  await expect(bar).toHaveAttribute('aria-valuenow', '25')
  await expect(jobCard(page, 'large')).toContainText('25,000 of 100,000 rows')
  await expect(jobCard(page, 'large')).toContainText('You can leave this page.')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveURL('/users')
  backend.answer(listJobs, { jobs: [ended({ state: 'done', sources })] })
  await expect(toast(page)).toContainText('20,001 sources were imported from large.csv')
  await expect(toast(page).getByRole('link', { name: 'Show' })).toHaveAttribute('href', '/imports/7')
})

test('on the page itself, the result is shown without another message; a job that fails shows the reason', async ({
  page,
  backend,
  open,
}) => {
  await open('/source_import')
  await importMany(page, backend)
  backend.answer(listJobs, { jobs: [ended({ state: 'done', sources })] })
  const result = page.getByRole('status').filter({ hasText: 'Requested' })
  await expect(result).toContainText('Requested import for 20001 of 20001 inputs:')
  await expect(result.getByRole('link', { name: 'See the import' })).toBeVisible()
  await expect(page.getByText('sources were imported from')).toHaveCount(0)

  backend.answer(listJobs, { jobs: [aJob()] })
  await open('/source_import')
  await expect(jobCard(page, 'large')).toBeVisible()
  backend.answer(listJobs, { jobs: [ended({ state: 'failed', error: 'The file has no column source_url.' })] })
  const failed = page.getByRole('main').getByRole('alert')
  await expect(failed).toContainText('Import failed: large.csv')
  await expect(failed).toContainText('The file has no column source_url.')
})

test('a job can be cancelled, and nothing is imported', async ({ page, backend, open }) => {
  backend.answer(listJobs, { jobs: [QUEUED] })
  const cancelled = ended({ state: 'cancelled', is_cancelled: true, error: 'Cancelled by Olena Kovalenko.' })
  backend.answer(cancelJob, () => {
    backend.answer(listJobs, { jobs: [cancelled] })
    return cancelled
  })
  await open('/source_import')
  await expect(jobCard(page, 'large')).toContainText('Waiting to start')
  await jobCard(page, 'large').getByRole('button', { name: 'Cancel' }).click()
  const shown = page.getByRole('status').filter({ hasText: 'Import cancelled: large.csv' })
  await expect(shown).toContainText(/Cancelled by .*Nothing was imported\./)
  await expectAccessible(page)
})
