import { deleteUser, listUsers } from '@watchdesk/contract/users'
import { button, heading, row, rows, search, toast } from '../users-page.ts'
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

test('at 1440 px a usual name, both badges, a long email and a name of twice 30 characters are shown in full', async ({
  page,
  backend,
  open,
}) => {
  const usual = aUser({
    ...{ first_name: 'Kateryna', last_name: 'Tkachenko', email: 'kateryna10000x1@northwind-media.test' },
    ...{ is_admin: true, is_super_admin: true, type: 'UNDERPRIVILEGED', language: 'UK' },
  })
  const email = 'volodymyra10000x2.oleksandrivna-kovalenko@regional.newsroom-network.test'
  const names = { first_name: 'Oleksandra'.repeat(3), last_name: 'Shevchenko'.repeat(3) }
  const people = [usual]
  answerUsers(backend, people)
  await open('/users?workspace_id=1')
  await expect(row(page, usual.email)).toBeVisible()
  const cut = await row(page, usual.email)
    .getByRole('cell')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent))
  expect(cut).toEqual([])
  expect((await row(page, usual.email).boundingBox())?.height).toBeLessThan(46)

  people.push(aUser({ id: 11, email }))
  await open('/users?workspace_id=1')
  const cell = row(page, email).getByRole('cell').nth(3)
  await expect(cell).toHaveText(email)
  expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
  expect(await cell.evaluate((element: HTMLElement) => element.innerText)).toBe(email)
  expect((await row(page, email).boundingBox())?.height).toBeLessThan(46)

  people.push(aUser({ id: 12, ...names, email: 'named@example.com' }))
  await open('/users?workspace_id=1')
  const name = row(page, 'named@example.com').getByRole('cell').nth(2)
  await expect(name).toHaveText(`${names.first_name} ${names.last_name}`)
  const isCut = await name.evaluate(
    (element) => element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
  )
  expect(isCut).toBe(false)
})

test('a delete that the server rejects shows the reason, and changes nothing', async ({ page, backend, open }) => {
  answerUsers(backend, [PERSON])
  backend.refuse(deleteUser, 409, 'You cannot delete your own account. Ask another admin to do it.')
  await open('/users')
  await button(page, 'Delete Iryna Shevchuk').click()
  await button(page, 'Delete').click()
  await expect(toast(page)).toContainText('You cannot delete your own account. Ask another admin to do it.')
  await expect(row(page, PERSON.email)).toBeVisible()
})

test("another backend's failed delete shows its messages, or that something went wrong", async ({
  page,
  backend,
  open,
}) => {
  backend.raw(listUsers, 200, { objects: [{ ...PERSON, language: null }], total: 1, size: 20 })
  await open('/users')
  await expect(row(page, PERSON.email).getByRole('cell').nth(6)).toHaveText('Auto')
  for (const [body, shown] of [
    [{ detail: [{ msg: 'First.' }, { msg: 'Second.' }] }, 'First.\nSecond.'],
    ['no JSON at all', 'Something went wrong'],
  ] as const) {
    backend.raw(deleteUser, 500, body)
    await button(page, 'Delete Iryna Shevchuk').click()
    await button(page, 'Delete').click()
    await expect.poll(() => toast(page).last().innerText()).toBe(shown)
  }
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
