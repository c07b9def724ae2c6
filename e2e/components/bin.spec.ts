import { currentUser } from '@watchdesk/contract/auth/session'
import {
  type BinOutcome,
  type BinRecord,
  listBin,
  listEmailClashes,
  removeFromBin,
  restoreFromBin,
} from '@watchdesk/contract/bin'
import { deleteDashboard, listDashboards } from '@watchdesk/contract/dashboards'
import { restoreUser } from '@watchdesk/contract/users'
import { restoreWorkspace } from '@watchdesk/contract/workspaces'
import { expectAccessible } from '../accessible.ts'
import { bar, box } from '../bin-page.ts'
import { button, dialog, heading, row, rows, toast } from '../workspaces-page.ts'
import { type Backend, Refusal } from './backend.ts'
import { aBinRecord, aDashboard, aUser, aWorkspace, ME } from './records.ts'
import { answerList, expect, test } from './test.ts'

const TAKEN = 'A user with this email already exists.'

const named = (...names: string[]) => names.map((name, index) => aBinRecord({ id: index + 1, name }))
const BALTIC = aBinRecord({ kind: 'workspace', id: 1, name: 'Baltic', detail: null, workspace: null, users: 3 })

/** Deleted records, of which some cannot be restored. */
function answerBin(backend: Backend, records: BinRecord[], blocked: string[] = []) {
  answerList(backend, listBin, records)
  backend.answer(restoreFromBin, ({ body }) => {
    const outcomes: BinOutcome[] = body.records.map(({ kind, id }) => {
      const place = records.findIndex((record) => record.kind === kind && record.id === id)
      const isBlocked = blocked.includes(records[place]?.name ?? '')
      if (!isBlocked) records.splice(place, 1)
      return { kind, id, problem: isBlocked ? TAKEN : null }
    })
    return { outcomes }
  })
}

test('the question before deleting leads to the bin, and deletes nothing', async ({ page, backend, open }) => {
  answerList(backend, listDashboards, [aDashboard()])
  await open('/dashboards')
  await button(page, 'Delete Reach').click()
  await dialog(page).getByRole('link', { name: 'Bin' }).click()
  await expect(heading(page)).toHaveText('Bin')
  await expect(dialog(page)).toHaveCount(0)
  expect(backend.calls(deleteDashboard)).toEqual([])
})

test('a kind of record that the console does not know has a name, and is restored by the call of the bin', async ({
  page,
  backend,
  open,
}) => {
  const plan = { ...aBinRecord({ id: 5, name: 'Spring', detail: 'Draft', workspace: null }), kind: 'media_plan' }
  backend.raw(listBin, 200, { objects: [plan], total: 1, size: 20 })
  backend.raw(restoreFromBin, 200, { outcomes: [{ kind: 'media_plan', id: 5, problem: 'It is in use.' }] })
  await open('/bin')
  await expect(row(page, 'Spring')).toContainText('Media plan')
  await expect(row(page, 'Spring')).toContainText('Draft')
  await button(page, 'Restore Spring').click()
  await expect(toast(page)).toContainText('It is in use.')
  backend.raw(restoreFromBin, 200, { outcomes: [{ kind: 'media_plan', id: 5, problem: null }] })
  await button(page, 'Restore Spring').click()
  await expect(toast(page).last()).toContainText('Spring restored.')
  await button(page, 'Delete Spring for good').click()
  await expect(dialog(page)).toContainText('This deletes Spring. This cannot be undone.')
})

test('a workspace with taken emails asks for another email for each of these users', async ({
  page,
  backend,
  open,
}) => {
  const text = 'Another user now has the email of one of its users.'
  const records = [{ ...BALTIC, problem: { reason: 'email_taken' as const, text, taken_by: null } }]
  answerBin(backend, records)
  const taken_by = { id: 20, name: 'Olha Bondar' }
  const clashes = [
    { id: 11, name: 'Ada First', email: 'ada@example.com', taken_by },
    { id: 13, name: 'Cleo Third', email: 'cleo@example.com', taken_by },
  ]
  backend.answer(listEmailClashes, { objects: clashes, total: 2 })
  backend.answer(restoreWorkspace, ({ body }) => {
    const place = body?.emails?.findIndex(({ email }) => email === 'ben@example.com') ?? -1
    if (place >= 0) return new Refusal(422, [{ loc: ['body', 'emails', place, 'email'], msg: TAKEN, type: 'taken' }])
    records.pop()
    return aWorkspace()
  })
  await open('/bin')
  await expect(row(page, 'Baltic')).toContainText(text)
  await button(page, 'Restore Baltic').click()
  const field = (name: string) => dialog(page).getByRole('textbox', { name: `Email of ${name}` })
  await expect(dialog(page).getByRole('textbox')).toHaveCount(2)
  await expect(dialog(page)).toContainText('Olha Bondar now has ada@example.com.')
  await field('Ada First').fill('again.ada@example.com')
  await field('Cleo Third').fill('ben@example.com')
  await button(dialog(page), 'Restore').click()
  await expect(field('Cleo Third')).toHaveAccessibleDescription(new RegExp(TAKEN))
  await field('Cleo Third').fill('again.cleo@example.com')
  await button(dialog(page), 'Restore').click()
  await expect(toast(page)).toContainText('Baltic restored.')
  expect(backend.calls(restoreWorkspace).at(-1)?.body).toEqual({
    emails: [
      { id: 11, email: 'again.ada@example.com' },
      { id: 13, email: 'again.cleo@example.com' },
    ],
  })
})

test('a user whose email is taken is restored under another email', async ({ page, backend, open }) => {
  const text = 'Olha Bondar now has the email iryna@example.com.'
  const taken_by = { id: 20, name: 'Olha Bondar' }
  answerBin(backend, [aBinRecord({ problem: { reason: 'email_taken', text, taken_by } })])
  backend.answer(restoreUser, ({ body }) =>
    body?.email === 'new@example.com'
      ? aUser({ email: 'new@example.com' })
      : new Refusal(422, [{ loc: ['body', 'email'], msg: TAKEN, type: 'taken' }]),
  )
  await open('/bin')
  await expect(row(page, 'Iryna Shevchuk')).toContainText(text)
  await button(page, 'Restore Iryna Shevchuk').click()
  await expect(dialog(page)).toHaveAccessibleName('Restore Iryna Shevchuk with another email')
  const email = dialog(page).getByRole('textbox', { name: 'Email' })
  await expect(email).toBeFocused()
  for (const [typed, message] of [
    ['nobody', 'Email must be a valid email address.'],
    ['iryna@example.com', TAKEN],
  ] as const) {
    await email.fill(typed)
    await email.press('Enter')
    await expect(email).toHaveAccessibleDescription(message)
  }
  await email.fill('new@example.com')
  await email.press('Enter')
  await expect(toast(page)).toContainText('Iryna Shevchuk restored.')
})

test('deleting for good asks for the name to be typed', async ({ page, backend, open }) => {
  const records = [{ ...BALTIC, users: 1 }]
  answerBin(backend, records)
  backend.answer(removeFromBin, () => {
    records.pop()
    return undefined
  })
  await open('/bin?search=Baltic&kind=workspace')
  await button(page, 'Delete Baltic for good').click()
  expect(backend.calls(listBin)[0]?.query).toMatchObject({ search: 'Baltic', kind: 'workspace' })
  await expect(dialog(page)).toHaveAccessibleName('Delete Baltic for good?')
  await expect(dialog(page)).toContainText('the 1 user deleted with it')
  await expect(dialog(page)).toContainText('This cannot be undone.')
  const remove = button(dialog(page), 'Delete for good')
  await expect(remove).toBeDisabled()
  await dialog(page).getByRole('textbox').fill('Balt')
  await expect(remove).toBeDisabled()
  await dialog(page).getByRole('textbox').fill('Baltic')
  await remove.click()
  await expect(toast(page)).toContainText('Baltic deleted for good.')
  await expect(page.getByText('No deleted records match.')).toBeVisible()
  expect(backend.calls(removeFromBin).map(({ body }) => body)).toEqual([{ kind: 'workspace', id: 1, name: 'Baltic' }])
})

test('a range is selected with Shift, and restored at once, with the reasons of what was not', async ({
  page,
  backend,
  open,
}) => {
  answerBin(backend, named('Dan', 'Cleo', 'Ben', 'Ada'), ['Ben'])
  await open('/bin')
  await box(page, 'Dan').check()
  await expect(bar(page)).toContainText('1 selected')
  await box(page, 'Ben').click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('3 selected')
  await expect(box(page, 'Cleo')).toBeChecked()
  await expect(box(page, 'Ada')).not.toBeChecked()
  await button(bar(page), 'Restore').click()
  await expect(dialog(page)).toHaveAccessibleName('2 of 3 records restored')
  await expect(dialog(page)).toContainText(`Ben (user): ${TAKEN}`)
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Close' }).last().click()
  await expect(rows(page)).toHaveCount(2)
  await expect(bar(page)).toHaveCount(0)
})

test('a workspace admin cannot restore everything, and deletes nothing for good; an empty bin says what will appear there', async ({
  page,
  backend,
  open,
}) => {
  backend.answer(currentUser, { ...ME, is_super_admin: false, is_admin: true })
  const text = 'Only a super admin can restore this user.'
  answerBin(backend, [aBinRecord({ problem: { reason: 'super_admins_only', text, taken_by: null } })])
  // On a phone, deleted records are cards without sideways scrolling.
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/bin')
  const card = page.getByRole('list', { name: 'Deleted records' }).getByRole('listitem')
  for (const shown of ['iryna@example.com', 'Deleted for good in 30 days', text])
    await expect(card).toContainText(shown)
  await expect(button(page, 'Restore Iryna Shevchuk')).toBeDisabled()
  await expect(page.getByRole('button', { name: /for good/ })).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  answerBin(backend, [])
  await open('/bin')
  await expect(page.getByRole('main')).toContainText(
    'The bin is empty. Users of your workspace that are deleted appear here for 30 days, and can be restored.',
  )
})
