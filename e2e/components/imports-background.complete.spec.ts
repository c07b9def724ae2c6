import { cancelJob, type Job, listJobs } from '@watchdesk/contract/jobs'
import { getOperation, type Operation, previewUndo, undoOperation } from '@watchdesk/contract/operations/operations'
import { anImport, aPreview, button, dialog, result, toast } from '../imports-page.ts'
import { aJob } from '../jobs-page.ts'
import { expect, test } from './test.ts'

test('an undo in the background is shown on the page of the import, and can be cancelled and asked for again', async ({
  page,
  backend,
  open,
}) => {
  const of = anImport({ counts: { requested: 20_001 }, can_undo: true })
  const waiting = { step: 'waiting', done: 0, total: null } as const
  const imports: Record<string, Operation> = { 7: of }
  let jobs: Job[] = []
  const end = (state: 'done' | 'cancelled') => {
    const [job = aJob()] = jobs
    jobs = [{ ...job, state, progress: null }]
    imports[String(job.import_id)] = anImport({ ...imports[String(job.import_id)], state, progress: null })
    return job
  }
  backend.answer(getOperation, ({ params: { id = '' } }) => imports[id] ?? of)
  backend.answer(listJobs, () => ({ jobs }))
  backend.answer(previewUndo, aPreview({ sources_removed: 20_001 }))
  backend.answer(undoOperation, () => {
    const id = backend.calls(undoOperation).length + 7
    jobs = [aJob({ id, kind: 'undo', state: 'queued', import_id: id, progress: waiting })]
    imports[7] = { ...of, can_undo: false, undoing: { import_id: id, is_redo: false } }
    const undo = anImport({ id, kind: 'undo', state: 'queued', undoes: of, job_id: id, progress: waiting })
    imports[id] = { ...undo, summary: 'Removed 20,001 sources' }
    return undo
  })
  backend.answer(cancelJob, () => {
    imports[7] = of
    return end('cancelled')
  })
  await open('/imports/7')
  await button(page, 'Undo import').click()
  await expect(dialog(page)).toContainText('Removes 20,001 sources.')
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(toast(page)).toContainText(
    'Undoing large.csv. It continues in the background. You will see a message when it ends.',
  )
  await expect(result(page)).toContainText('It is being undone in the background.')
  await expect(button(page, 'Undo import')).toHaveCount(0)
  await result(page).getByRole('link', { name: 'Show its progress' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Undo: large.csv')
  await expect(result(page)).toContainText('Waiting to start')
  await result(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Cancel the undo “large.csv”?')
  await button(page, 'Cancel undo').click()
  await expect(result(page)).toContainText('Cancelled. Nothing was changed.')
  await expect(page.locator('[data-kind=error]')).toContainText('The undo of large.csv was cancelled.')
  await result(page).getByRole('link', { name: 'the import “large.csv”' }).click()

  await button(page, 'Undo import').click()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(result(page)).toContainText('It is being undone in the background.')
  const undone = { import_id: 9, at: '2026-11-17T02:00:00.000Z', by: null, left_count: 0 }
  imports[7] = { ...of, can_undo: false, undone }
  end('done')
  await expect(toast(page).filter({ hasText: 'Undone: large.csv. Removed 20,001 sources.' })).toBeVisible()
  await expect(result(page)).toContainText('Undone')
  await expect(button(page, 'Undo import')).toHaveCount(0)
})
