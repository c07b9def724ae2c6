import type { Page } from '@playwright/test'
import {
  type BulkPreview,
  changeUsers,
  listUsersChange,
  previewUsersChange,
} from '@watchdesk/contract/operations/changes'
import { getOperation, undoOperation } from '@watchdesk/contract/operations/operations'
import { expectAccessibleInBothSchemes } from '../accessible.ts'
import { anImport } from '../imports-page.ts'
import { button, dialog, rows, toast } from '../workspaces-page.ts'
import { type Backend, Refusal } from './backend.ts'
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
  backend.answer(getOperation, anImport({ id: 1, kind: 'users_change', summary, can_undo }))
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
  backend.refuse(undoOperation, 409, 'All of its rows changed since or no longer exist, so nothing was undone.')
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

const types = { type: { before: 'STANDARD', after: 'MODERATOR' } }
const OWN = 'You cannot remove your own admin rights. Ask another admin to do it.'

/** A preview of 250 users, of whom some are left out or have the type already. */
async function openPreview(page: Page, backend: Backend, open: (address: string) => Promise<void>) {
  answerUsers(backend, twoUsers())
  const all = Array.from({ length: 230 }, (_, id) => ({
    id: id + 1,
    name: `Olena Kovalenko ${id + 1}`,
    changes: types,
  }))
  const others = Array.from({ length: 12 }, (_, id) => ({ id: id + 301, name: `Ivan Bondar ${id}`, changes: {} }))
  const refused = [{ reason: OWN, count: 12, examples: others.slice(0, 5) }]
  answerPreview(backend, {
    ...{ count: 250, changed_count: 230, unchanged_count: 8, refused_count: 12, changed_fields: ['type'] },
    ...{ changed: all.slice(0, 5), refused },
  })
  backend.answer(listUsersChange, ({ body: { outcome, after_id = 0 } }) => {
    const found = outcome === 'changed' ? all : outcome === 'refused' ? others : others.slice(0, 8)
    const left = found.filter(({ id }) => id > after_id)
    const reason = outcome === 'refused' ? OWN : null
    const records = left.slice(0, 100).map((one) => ({ ...one, detail: `user${one.id}@example.com`, reason }))
    return { records, has_more: left.length > 100 }
  })
  await open('/users')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar(page).getByRole('button', { name: 'Change' }).click()
  await dialog(page).getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'MODERATOR' }).click()
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('… and 225 more')
}

test('every record of a preview is shown, 100 at a time, with the keyboard', async ({ page, backend, open }) => {
  await openPreview(page, backend, open)
  const changed = dialog(page).getByRole('list', { name: 'What changes' })
  await button(page, 'Show all 230').focus()
  await page.keyboard.press('Enter')
  await expect(changed).toBeFocused()
  await expect(changed.getByRole('listitem')).toHaveCount(100)
  await expect(changed).toContainText('Olena Kovalenko 100 user100@example.comType: STANDARD → MODERATOR')
  await expect(dialog(page).locator('[aria-live]', { hasText: '100 of 230 shown' })).toBeVisible()
  await button(page, 'Show more').focus()
  await page.keyboard.press('Enter')
  await expect(changed.getByRole('listitem').nth(100)).toBeFocused()
  await expect(dialog(page)).toContainText('200 of 230 shown')
  await button(page, 'Show more').click()
  await expect(dialog(page)).toContainText('230 of 230 shown')
  await expect(button(page, 'Show more')).toHaveCount(0)
  expect(backend.calls(listUsersChange).map(({ body }) => body)).toMatchObject([
    { action: 'update', set: { type: 'MODERATOR' }, ids: [10, 11], outcome: 'changed' },
    { outcome: 'changed', after_id: 100 },
    { outcome: 'changed', after_id: 200 },
  ])
})

test('those left out are shown with their reason, and those that stay as they are', async ({ page, backend, open }) => {
  await openPreview(page, backend, open)
  await button(page, 'Show all 12 left out').click()
  const left = dialog(page).getByRole('region', { name: 'Left out' })
  await expect(left.getByRole('listitem')).toHaveCount(12)
  await expect(left.getByRole('listitem').last()).toHaveText(`Ivan Bondar 11 user312@example.com${OWN}`)
  await button(page, 'Show all 8 unchanged').click()
  await expect(dialog(page).getByRole('list', { name: 'Unchanged' }).getByRole('listitem')).toHaveCount(8)
  await button(page, 'Show all 230').click()
  await expectAccessibleInBothSchemes(page)
  // The next preview starts with its examples.
  await button(page, 'Back').click()
  await button(page, 'Preview').click()
  await expect(button(page, 'Show all 230')).toBeVisible()
})

test('records that could not be loaded are tried again', async ({ page, backend, open }) => {
  await openPreview(page, backend, open)
  const answer = { records: [{ id: 1, name: 'Olena', detail: null, changes: types, reason: null }], has_more: true }
  backend.refuse(listUsersChange, 503, 'Busy.')
  await button(page, 'Show all 230').focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toContainText('Busy.')
  await page.keyboard.press('Tab')
  await expect(button(page, 'Try again')).toBeFocused()
  backend.answer(listUsersChange, ({ body: { after_id } }) => (after_id ? new Refusal(429, 'Too many.') : answer))
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('1 of 230 shown')
  await button(page, 'Show more').click()
  await expect(dialog(page).getByRole('alert')).toContainText('Too many.')
  backend.answer(listUsersChange, { records: [{ ...answer.records[0], id: 2 } as never], has_more: false })
  await button(page, 'Try again').click()
  await expect(dialog(page)).toContainText('2 of 230 shown')
})

test('a server that cannot list the records shows only examples', async ({ page, backend, open }) => {
  await openPreview(page, backend, open)
  backend.refuse(listUsersChange, 404, 'Not Found')
  await button(page, 'Show all 230').click()
  await expect(button(page, 'Show all 230')).toHaveCount(0)
  await expect(dialog(page).getByRole('alert')).toHaveCount(0)
  await expect(dialog(page)).toContainText('… and 225 more')
  await expect(button(page, 'Change 230 users')).toBeVisible()
})
