import { deleteUser, listUsers, restoreUser } from '@watchdesk/contract/users'
import { button, dialog, heading, row, rows, search, toast } from '../users-page.ts'
import { aUser } from './records.ts'
import { expect, test } from './test.ts'
import { answerUsers } from './users.ts'

const PERSON = aUser({ email: 'person@example.com', type: 'MODERATOR' })

test('shows every column, the badges, links to workspace and form, and Auto for no language', async ({
  page,
  backend,
  open,
}) => {
  const both = { id: 11, is_admin: true, is_super_admin: true, language: 'UK' } as const
  answerUsers(backend, [PERSON, aUser({ ...both, email: 'both@example.com' })])
  await open('/users?workspace_id=1')
  await expect(heading(page)).toHaveText('Users')
  const headings = ['ID', 'Workspace', 'Full Name', 'Email', 'Roles', 'Type', 'Language', 'Actions']
  await expect(page.getByRole('columnheader')).toHaveText(headings)
  await expect(row(page, PERSON.email).getByRole('cell')).toHaveText([
    ...['10', 'Baltic', 'Iryna Shevchuk', PERSON.email, '', 'MODERATOR', 'Auto', ''],
  ])
  await expect(row(page, 'both@example.com').getByRole('cell')).toHaveText([
    ...['11', 'Baltic', 'Iryna Shevchuk', 'both@example.com'],
    ...['Super adminWorkspace admin', 'STANDARD', 'Ukrainian', ''],
  ])
  await expect(row(page, PERSON.email).getByRole('link', { name: 'Baltic' })).toHaveAttribute('href', '/workspaces/1')
  const edit = row(page, PERSON.email).getByRole('link', { name: 'Edit Iryna Shevchuk' })
  await expect(edit).toHaveAttribute('href', '/users/10/edit')
  await page.getByRole('link', { name: 'Create user' }).click()
  await expect(page).toHaveURL('/users/create?workspace_id=1')
})

test('says how many users there are in how many workspaces, and of a filtered list how many were found', async ({
  page,
  backend,
  open,
}) => {
  answerUsers(backend, [aUser({ last_name: 'Melnyk' }), aUser({ id: 11 })])
  await open('/users')
  await expect(page.getByText('2 users in 2 workspaces', { exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'Workspace' }).fill('Atlas')
  await page.getByRole('option', { name: 'Atlas' }).click()
  await expect(page.getByText('2 users found', { exact: true })).toBeVisible()
  // The number of the search before is not shown as if it was found by this one.
  const release = backend.hold(listUsers)
  await search(page).fill('Melnyk')
  await expect(page.getByText(/users? found/)).toHaveCount(0)
  release()
  await expect(page.getByText('1 user found', { exact: true })).toBeVisible()
  await expect(page.getByText(/users? in /)).toHaveCount(0)
})

test('deletes after the prompt, and Undo brings the user back', async ({ page, backend, open }) => {
  const users = [PERSON]
  answerUsers(backend, users)
  backend.answer(deleteUser, () => {
    users.pop()
  })
  backend.answer(restoreUser, () => {
    users.push(PERSON)
    return PERSON
  })
  await open('/users?workspace_id=1')
  const remove = button(page, 'Delete Iryna Shevchuk')
  await remove.click()
  await expect(dialog(page)).toHaveAccessibleName('Are you sure you want to delete this user?')
  await expect(dialog(page)).toContainText(`Iryna Shevchuk (${PERSON.email}) loses access immediately.`)
  await expect(dialog(page)).toContainText('You can undo this for 30 days, in the Bin.')
  await button(page, 'Cancel').click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(remove).toBeFocused()

  await remove.click()
  const release = backend.hold(deleteUser)
  const cell = row(page, PERSON.email).getByRole('cell').first()
  await expect(cell).toHaveCSS('opacity', '1')
  await button(page, 'Delete').click()
  await expect(cell).toHaveCSS('opacity', '0.6')
  release()
  await expect(toast(page)).toContainText('User removed successfully!')
  expect(backend.calls(deleteUser).map(({ headers }) => headers['if-match'])).toEqual([`"${PERSON.version}"`])
  await expect(row(page, PERSON.email)).toHaveCount(0)
  await expect(heading(page)).toBeFocused()
  await button(page, 'Undo').click()
  await expect(toast(page).filter({ hasText: 'restored' })).toHaveText('User Iryna Shevchuk restored.')
  await expect(row(page, PERSON.email)).toBeVisible()
})

test("a delete that fails shows the reason, also another backend's, or that something went wrong, and changes nothing", async ({
  page,
  backend,
  open,
}) => {
  backend.raw(listUsers, 200, { objects: [{ ...PERSON, language: null }], total: 1, size: 20 })
  await open('/users')
  await expect(row(page, PERSON.email).getByRole('cell').nth(6)).toHaveText('Auto')
  for (const [status, body, shown] of [
    [409, { detail: 'You cannot delete your own account.' }, 'You cannot delete your own account.'],
    [500, { detail: [{ msg: 'First.' }, { msg: 'Second.' }] }, 'First.\nSecond.'],
    [500, 'no JSON at all', 'Something went wrong'],
  ] as const) {
    backend.raw(deleteUser, status, body)
    await button(page, 'Delete Iryna Shevchuk').click()
    await button(page, 'Delete').click()
    await expect.poll(() => toast(page).last().innerText()).toBe(shown)
  }
  await expect(row(page, PERSON.email)).toBeVisible()
})

test('shows skeleton rows while the list loads, and an error with Try again when it fails, also without a detail', async ({
  page,
  backend,
  open,
}) => {
  backend.refuse(listUsers, 503, 'The database is away.')
  const respond = backend.hold(listUsers)
  await open('/users')
  await expect(rows(page)).toHaveCount(20)
  respond()
  await expect(page.getByRole('alert')).toContainText('The database is away.', { timeout: 20_000 })
  backend.raw(listUsers, 400, 'no JSON at all')
  await button(page, 'Try again').click()
  await expect(page.getByRole('alert')).toContainText('Something went wrong')
  answerUsers(backend, [PERSON])
  await button(page, 'Try again').click()
  await expect(row(page, 'Iryna Shevchuk')).toBeVisible()
})
