import { createUser, getUser, updateUser } from '@watchdesk/contract/users'
import { listWorkspaces } from '@watchdesk/contract/workspaces'
import { cancelReload } from '../account-page.ts'
import { button, dialog, expectError, field, fillPerson, select, toast, toggle } from '../users-page.ts'
import { aUser, aWorkspace } from './records.ts'
import { expect, test } from './test.ts'
import { ATLAS, answerUsers, PASSWORD, VISTULA } from './users.ts'

test('the query preselects the workspace; a rejected create keeps the form and shows the reason', async ({
  page,
  backend,
  open,
}) => {
  answerUsers(backend, [])
  await open(`/users/create?workspace_id=${VISTULA.id}`)
  await expect(select(page, 'Workspace')).toHaveValue('Vistula')
  await fillPerson(page, { first: 'A', last: 'B', email: 'taken@example.com' })
  await field(page, 'Password').fill(PASSWORD)
  backend.refuse(createUser, 409, 'A user with this email already exists.')
  await field(page, 'Password').press('Enter')
  await expect(toast(page)).toContainText('A user with this email already exists.')
  await expectError(page, 'Email', 'A user with this email already exists.')
  await expect(field(page, 'Email')).toBeFocused()
  await expect(field(page, 'First name')).toHaveValue('A')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.keyboard.type('.ua')
  await expect(field(page, 'Email')).not.toHaveAttribute('aria-invalid', 'true')

  await field(page, 'Email').fill('free@example.com')
  await field(page, 'Password').fill('short')
  const error = { loc: ['body', 'password'], msg: 'At least 12 characters.', type: 'value_error' }
  backend.refuse(createUser, 422, [error])
  await button(page, 'Create').click()
  await expect(field(page, 'Password')).toBeFocused()
  await expectError(page, 'Password', 'At least 12 characters.')
})

test('the dropdown loads 100 workspaces and finds the others on the server', async ({ page, backend, open }) => {
  const fillers = Array.from({ length: 100 }, (_, index) => aWorkspace({ id: index + 1, name: `Filler ${index}` }))
  answerUsers(backend, [], [...fillers, aWorkspace({ id: 200, name: 'Beyond' })])
  await open('/users/create')
  await select(page, 'Workspace').click()
  await expect(page.getByRole('option')).toHaveCount(100)
  expect(backend.calls(listWorkspaces).map(({ query }) => query)).toContainEqual({ page: '1', page_size: '100' })
  await expect(page.getByRole('option', { name: 'Beyond' })).toHaveCount(0)
  // The long list scrolls, but is not a tab stop.
  await page.keyboard.press('Tab')
  await expect(select(page, 'Type')).toBeFocused()
  await select(page, 'Workspace').fill('beyond')
  await expect(page.getByRole('option')).toHaveText(['Beyond'])
  await page.getByRole('option').click()
  await expect(select(page, 'Workspace')).toHaveValue('Beyond')
})

test('Change password makes the password required, and sends it', async ({ page, backend, open }) => {
  answerUsers(backend, [aUser()])
  await open('/users/10/edit')
  await toggle(page, 'Change password').click({ force: true })
  await button(page, 'Save').click()
  await expectError(page, 'Password', 'Password is required!')
  await field(page, 'Password').fill('a new long password')
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/users')
  expect(backend.calls(updateUser)).toMatchObject([{ body: { password: 'a new long password' } }])
})

test('a rejected edit restores the form and shows a toast; a deleted user shows an error', async ({
  page,
  backend,
  open,
}) => {
  answerUsers(backend, [aUser({ is_super_admin: true })])
  backend.refuse(updateUser, 409, 'You cannot remove your own admin rights. Ask another admin to do it.')
  await open('/users/10/edit')
  await toggle(page, 'Super admin').click({ force: true })
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText('You cannot remove your own admin rights. Ask another admin to do it.')
  await expect(button(page, 'Save')).toBeVisible()
  await expect(toggle(page, 'Super admin')).not.toBeChecked()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await button(page, 'Leave').click()
  await expect(page).toHaveURL('/users')

  backend.refuse(getUser, 404, 'User not found.')
  await open('/users/2000000000/edit')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('User not found.')
  await expect(button(page, 'Try again')).toHaveCount(0)
  await page.getByRole('link', { name: 'Back to users' }).click()
  await expect(page).toHaveURL('/users')
})

test('leaving does not lose unsaved changes', async ({ page, open }) => {
  await open('/users/create')
  await page.getByRole('link', { name: 'Workspaces' }).click()
  await expect(page).toHaveURL('/workspaces')
  await page.goBack()
  await field(page, 'First name').fill('Olena')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.getByRole('link', { name: 'Workspaces' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave without saving?')
  await button(page, 'Stay').click()
  await expect(field(page, 'First name')).toHaveValue('Olena')
  await cancelReload(page)
  await expect(field(page, 'First name')).toHaveValue('Olena')
})

test('a loader is shown until the workspaces are there; it replaces the button, and one submit is one call', async ({
  page,
  backend,
  open,
}) => {
  answerUsers(backend, [])
  backend.raw(createUser, 201, {})
  const list = backend.hold(listWorkspaces)
  await open(`/users/create?workspace_id=${ATLAS.id}`)
  await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(page.locator('form')).toHaveCount(0)
  list()
  await fillPerson(page, { first: 'A', last: 'B', email: 'c@example.com' })
  await field(page, 'Password').fill(PASSWORD)
  const create = backend.hold(createUser)
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit()
    form.requestSubmit()
  })
  await expect(page.getByRole('status', { name: 'Saving' })).toBeVisible()
  await expect(button(page, 'Create')).toHaveCount(0)
  create()
  await expect(page).toHaveURL('/users')
  await expect(page.getByText('No users yet.')).toBeVisible()
  expect(backend.calls(createUser)).toHaveLength(1)
})

test('a form whose schema cannot be loaded says so, and works once it can', async ({ page }) => {
  const schema = '**/assets/users.schema-*.js'
  await page.route(schema, (route) => route.abort())
  await page.goto('/users/create')
  await button(page, 'Create').click()
  await expect(toast(page)).toContainText('The server cannot be reached. Check your connection and try again.')
  await page.unroute(schema)
  await button(page, 'Create').click()
  await expectError(page, 'Email', 'Email is required!')
})
