import { cancelJob } from '@watchdesk/contract/jobs'
import { getOperation, listOperations } from '@watchdesk/contract/operations/operations'
import { expectAccessible } from '../accessible.ts'
import { anImport, button, dialog, result } from '../imports-page.ts'
import { aJob } from '../jobs-page.ts'
import { answerList, expect, test } from './test.ts'

const progress = { step: 'storing', done: 25_000, total: 100_000 } as const
const RUNNING = anImport({ state: 'running', finished_at: null, job_id: 3, progress })

test.beforeEach(({ backend }) => {
  backend.answer(getOperation, RUNNING)
  answerList(backend, listOperations, [RUNNING])
})

test('a running import shows its step, count, rate and time left, and ends by itself', async ({
  page,
  backend,
  open,
}) => {
  await open('/imports/7')
  const bar = page.getByRole('progressbar', { name: 'Progress of large.csv' })
  await expect(bar).toHaveAttribute('aria-valuenow', '25')
  await expect(result(page)).toContainText('Storing the rows')
  await expect(result(page)).toContainText('25,000 of 100,000')
  await expect(result(page)).toContainText('You can leave this page.')
  await expectAccessible(result(page))
  backend.answer(getOperation, { ...RUNNING, progress: { ...progress, done: 50_000 } })
  await expect(bar).toHaveAttribute('aria-valuenow', '50')
  await expect(result(page)).toContainText(/50,000 of 100,000 rows · [\d,]+ rows per second · about .* left/)

  backend.answer(getOperation, anImport({ counts: { requested: 100_000 }, can_undo: true }))
  await expect(result(page)).toContainText('100,000 of 100,000 rows added')
  await expect(button(page, 'Undo import')).toBeVisible()
})

test('a running import is cancelled after a question', async ({ page, backend, open }) => {
  backend.refuse(cancelJob, 409, 'It has just ended.')
  await open('/imports/7')
  await button(page, 'Cancel').click()
  await button(page, 'Keep importing').click()
  await expect(dialog(page)).toHaveCount(0)
  expect(backend.calls(cancelJob)).toEqual([])
  await button(page, 'Cancel').click()
  await button(page, 'Cancel import').click()
  await expect(page.getByText('It has just ended.')).toBeVisible()
  backend.answer(cancelJob, () => {
    backend.answer(getOperation, anImport({ state: 'cancelled' }))
    return aJob({ is_cancelled: true })
  })
  await button(page, 'Cancel').click()
  await button(page, 'Cancel import').click()
  await expect(result(page)).toContainText('Cancelled. Nothing was changed.')
  expect(backend.calls(cancelJob).map(({ params }) => params.id)).toEqual(['3', '3'])
  // A failed one looks different without colors too.
  const icon = () => result(page).locator('svg').first().getAttribute('class')
  const cancelled = await icon()
  backend.answer(getOperation, anImport({ state: 'failed', error: 'The disk is full.' }))
  await open('/imports/7')
  await expect(result(page)).toContainText('Failed. Nothing was changed.The disk is full.')
  expect(await icon()).not.toBe(cancelled)
})

test('the list is read again while an import runs, and no longer', async ({ page, backend, open }) => {
  await open('/imports')
  await expect(page.getByRole('row').nth(1)).toContainText('Storing the rows: 25,000 of 100,000')
  const differs = { expected_count: 3, stored_count: 2, is_equal: false, checksum: 'a', at: RUNNING.created_at }
  const done = anImport({ counts: { requested: 3 }, verification: differs })
  answerList(backend, listOperations, [done])
  backend.answer(getOperation, done)
  await expect(page.getByRole('row').nth(1)).toContainText('3 added')
  await expect(page.getByRole('row').nth(1)).toContainText('Differs')
  await page.getByRole('link', { name: 'large.csv' }).click()
  await expect(result(page)).toContainText('Not verified: 2 of 3 stored')
})
