import type { Page } from '@playwright/test'
import { type BulkPreview, changeUsers, previewUsersChange } from '@watchdesk/contract/bulk-changes'
import { getImport, undoImport } from '@watchdesk/contract/imports'
import { anImport } from '../imports-page.ts'
import { button, dialog, rows, toast } from '../workspaces-page.ts'
import type { Backend } from './backend.ts'
import { aUser } from './records.ts'
import { expect, test } from './test.ts'
import { answerUsers } from './users.ts'

const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const all = (page: Page) => page.getByRole('checkbox', { name: 'Select all on this page' })
const twoUsers = () => [aUser(), aUser({ id: 11, first_name: 'Taras' })]

function answerPreview(backend: Backend, counts: Partial<BulkPreview>) {
  backend.answer(previewUsersChange, {
    ...{ count: 2, changed_count: 0, unchanged_count: 0, refused_count: 0, checksum: 'b1946ac9' },
    ...{ changed_fields: [], changed: [], refused: [], notes: [] },
    ...counts,
  })
}

function answerChange(backend: Backend, changed_count: number, summary: string, can_undo = true) {
  backend.answer(changeUsers, { changed_count, refused_count: 0, import_id: 1, job_id: null })
  backend.answer(getImport, anImport({ id: 1, kind: 'users_change', summary, can_undo }))
}

test('an undo that others made impossible shows what they changed', async ({ page, backend, open }) => {
  const person = aUser()
  answerUsers(backend, [person])
  answerPreview(backend, { count: 1, changed_count: 1, changed_fields: ['type'] })
  answerChange(backend, 1, 'Set the type of 1 user to MODERATOR')
  await open('/users')
  await all(page).check()
  await bar(page).getByRole('button', { name: 'Change' }).click()
  await dialog(page).getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'MODERATOR' }).click()
  await button(page, 'Preview').click()
  person.type = 'MODERATOR'
  await button(page, 'Change 1 user').click()
  await expect(rows(page)).toContainText('MODERATOR')
  person.type = 'UNDERPRIVILEGED'
  backend.refuse(undoImport, 409, 'All of its rows changed since or no longer exist, so nothing was undone.')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).last()).toContainText('All of its rows changed since')
  await expect(rows(page)).toContainText('UNDERPRIVILEGED')
})

test('sessions are ended, without an undo', async ({ page, backend, open }) => {
  answerUsers(backend, twoUsers())
  await open('/users')
  await all(page).check()
  answerPreview(backend, { unchanged_count: 2 })
  await button(page, 'Unlock').click()
  await expect(dialog(page)).toContainText('Nothing would change. 2 users are not locked.')
  await button(page, 'Close').last().click()
  answerPreview(backend, { changed_count: 1, unchanged_count: 1 })
  answerChange(backend, 1, 'Signed out 1 user', false)
  await button(page, 'Sign out').click()
  await expect(dialog(page)).toHaveAccessibleName('Sign out users')
  await expect(dialog(page)).toContainText('1 user will be signed out, and can sign in again. 1 user is not signed in.')
  await button(page, 'Sign out 1 user').click()
  await expect(toast(page)).toContainText('Signed out 1 user.')
  await expect(toast(page).getByRole('button', { name: 'Undo' })).toHaveCount(0)
  expect(backend.calls(changeUsers)).toMatchObject([{ body: { action: 'end_sessions', ids: [10, 11] } }])
  answerPreview(backend, { unchanged_count: 2 })
  await all(page).check()
  await button(page, 'Sign out').click()
  await expect(dialog(page)).toContainText('There are no open sessions. 2 users are not signed in.')
})

test('an error keeps the dialog and what was chosen in it', async ({ page, backend, open }) => {
  answerUsers(backend, [aUser()])
  await open('/users')
  await all(page).check()
  await button(page, 'Move to workspace').click()
  const workspace = dialog(page).getByRole('combobox', { name: 'Workspace' })
  await workspace.fill('Vistula')
  await page.getByRole('option', { name: 'Vistula', exact: true }).click()
  backend.refuse(previewUsersChange, 503, 'Busy.')
  await button(page, 'Preview').click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Busy.')
  await expect(workspace).toHaveValue('Vistula')
  answerPreview(backend, { count: 1, changed_count: 1 })
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('1 user will move to Vistula.')
})

test('if the number has changed since the preview, the new numbers are confirmed first', async ({
  page,
  backend,
  open,
}) => {
  answerUsers(backend, twoUsers())
  answerPreview(backend, { changed_count: 2 })
  backend.refuse(changeUsers, 409, '3 users match now instead of 2. Check what will change and try again.')
  await open('/users?search=Shevchuk')
  await page.getByRole('checkbox', { name: 'Select Taras Shevchuk' }).check()
  await button(page, 'Select all 2 that match').click()
  await button(page, 'Delete').last().click()
  await expect(dialog(page)).toContainText('2 users will lose access immediately.')
  await expect(dialog(page)).toContainText(
    'You can undo the whole deletion for 30 days, from the message that follows or from Imports.',
  )
  answerPreview(backend, { count: 3, changed_count: 3 })
  await button(page, 'Delete 2 users').click()
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'Nothing was changed. 3 users match now instead of 2. Check what will change and try again.',
  )
  await expect(dialog(page)).toContainText('3 users will lose access immediately.')
  answerChange(backend, 3, 'Deleted 3 users')
  await button(page, 'Delete 3 users').click()
  await expect(toast(page)).toContainText('Deleted 3 users.')
})
