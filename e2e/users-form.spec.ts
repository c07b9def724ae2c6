import { expect } from './test.ts'
import {
  button,
  choose,
  expectError,
  field,
  fillPerson,
  heading,
  row,
  rows,
  select,
  toast,
  toggle,
} from './users-page.ts'
import { test, unique } from './workspaces-page.ts'

test('a new user: defaults, every message, a generated password, a message that leads to the user; then an edit without a password', async ({
  page,
  make,
}) => {
  const { id, name } = await make.workspace()
  await page.goto('/users/create')
  await expect(heading(page)).toHaveText('Create user')
  await expect(select(page, 'Workspace')).toHaveValue('')
  await expect(select(page, 'Type')).toHaveValue('STANDARD')
  await expect(select(page, 'Language')).toHaveValue('Detect automatically')
  await expect(toggle(page, 'Workspace admin')).not.toBeChecked()
  await expect(toggle(page, 'Super admin')).not.toBeChecked()
  await expect(toggle(page, 'Change password')).toHaveCount(0)

  await button(page, 'Create').click()
  await expectError(page, 'Workspace', 'Workspace is required!')
  await expectError(page, 'First name', 'First name is required!')
  await expectError(page, 'Last name', 'Last name is required!')
  await expectError(page, 'Email', 'Email is required!')
  await expectError(page, 'Password', 'Password is required!')
  await expect(select(page, 'Workspace')).toBeFocused()
  await field(page, 'Email').fill('nobody')
  await button(page, 'Create').click()
  await expectError(page, 'Email', 'Email must be a valid email address.')

  await select(page, 'Type').click()
  await expect(page.getByRole('option')).toHaveText(['UNDERPRIVILEGED', 'STANDARD', 'MODERATOR'])
  await page.getByRole('option', { name: 'MODERATOR' }).click()
  await select(page, 'Language').click()
  await expect(page.getByRole('option')).toHaveText(['Detect automatically', 'English', 'Ukrainian'])
  await page.getByRole('option', { name: 'Ukrainian' }).click()
  await select(page, 'Workspace').fill(name)
  await page.getByRole('option', { name }).click()
  const email = `${unique('new')}@example.com`
  await fillPerson(page, { first: 'Marta', last: 'Weiss', email: ` ${email} ` })
  await button(page, 'Generate').click()
  const password = field(page, 'Password')
  await expect(password).toHaveValue(/^[A-Za-z0-9!@#$%^&*()]{17}$/)
  await expect(password).toHaveAttribute('type', 'text')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await button(page, 'Copy password').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(await password.inputValue())
  await toggle(page, 'Workspace admin').click({ force: true })

  const call = page.waitForRequest((request) => request.method() === 'POST')
  const generated = await password.inputValue()
  await button(page, 'Create').click()
  expect((await call).postDataJSON()).toEqual({
    ...{ first_name: 'Marta', last_name: 'Weiss', email, password: generated, workspace_id: id },
    ...{ is_admin: true, is_super_admin: false, type: 'MODERATOR', language: 'UK' },
  })
  await expect(page).toHaveURL('/users')
  await expect(toast(page)).toContainText('User Marta Weiss created.')
  // It finds the user among all others.
  await toast(page).getByRole('link', { name: 'Show', exact: true }).click()
  await expect(row(page, email)).toContainText('Workspace admin')
  await expect(rows(page)).toHaveCount(1)

  await page.getByRole('link', { name: 'Edit Marta Weiss' }).click()
  await expect(heading(page)).toHaveText('Edit User Marta Weiss')
  await expect(page).toHaveTitle('Edit User Marta Weiss · Watchdesk')
  await expect(select(page, 'Workspace')).toHaveValue(name)
  await expect(field(page, 'Email')).toHaveValue(email)
  await expect(password).toBeDisabled()
  await expect(button(page, 'Generate')).toBeDisabled()
  await choose(page, 'Language', 'Detect automatically')
  await field(page, 'First name').fill('Марта')
  const edit = page.waitForRequest((request) => request.method() === 'PATCH')
  await button(page, 'Save').click()
  expect((await edit).headers()['if-match']).toBe('"1"')
  expect((await edit).postDataJSON()).toEqual({
    ...{ first_name: 'Марта', last_name: 'Weiss', email, workspace_id: id },
    ...{ is_admin: true, is_super_admin: false, type: 'MODERATOR', language: '' },
  })
  await expect(toast(page)).toContainText('User Марта Weiss saved.')
  await expect(row(page, 'Марта')).toContainText('Auto')
})
