import type { Page } from '@playwright/test'
import { type BulkPreview, changeUsers, previewUsersChange } from '@watchdesk/contract/bulk-changes'
import { getImport, undoImport } from '@watchdesk/contract/imports'
import { currentUser } from '@watchdesk/contract/session'
import { expectAccessible } from '../accessible.ts'
import { anImport } from '../imports-page.ts'
import { button, dialog, rows, toast } from '../workspaces-page.ts'
import type { Backend } from './backend.ts'
import { aUser, ME } from './records.ts'
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

test('a workspace admin sees no boxes', async ({ page, backend, open }) => {
  answerUsers(backend, [aUser()])
  backend.answer(currentUser, { ...ME, is_super_admin: false, is_admin: true })
  for (const path of ['/users', '/workspaces']) {
    await open(path)
    await expect(rows(page).first()).toContainText(/Iryna|Atlas/)
    await expect(page.getByRole('checkbox')).toHaveCount(0)
  }
})

test('on a phone the actions are in a menu', async ({ page, backend, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  answerUsers(backend, twoUsers())
  answerPreview(backend, { changed_count: 2 })
  answerChange(backend, 2, 'Deleted 2 users')
  await open('/users')
  await expect(page.getByRole('checkbox', { name: /Shevchuk/ })).toHaveCount(2)
  for (const each of await page.getByRole('checkbox', { name: /Shevchuk/ }).all()) await each.check()
  await expect(bar(page)).toContainText('2 selected')
  await expectAccessible(page)
  await button(page, 'Actions').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('2 users will lose access immediately.')
  await expectAccessible(page)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(390)
  await button(page, 'Delete 2 users').click()
  await expect(toast(page)).toContainText('Deleted 2 users.')
})
