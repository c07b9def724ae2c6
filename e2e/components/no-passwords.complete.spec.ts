import { readFile } from 'node:fs/promises'
import { openLink } from '@watchdesk/contract/auth/links'
import { currentUser, getSignInOptions } from '@watchdesk/contract/auth/session'
import { createToken } from '@watchdesk/contract/auth/tokens'
import { createUser } from '@watchdesk/contract/users'
import { importUsers } from '@watchdesk/contract/users-import'
import { expectAccount, createToken as fillToken, section } from '../account-page.ts'
import { errorLine, signInAgain } from '../session-page.ts'
import { button, dialog, field, fillPerson, toast, toggle } from '../users-page.ts'
import { answerAccount, CONFIRM } from './account.ts'
import { aUser, ME } from './records.ts'
import { expect, test } from './test.ts'
import { answerImport, answerUsers } from './users.ts'

const PROVIDER = { name: 'Continue with Acme ID' }

test.beforeEach(({ backend }) => {
  backend.answer(currentUser, { ...ME, password_login: false })
  backend.answer(getSignInOptions, { password: false, forgotten_password: false, sso: { label: 'Acme ID' } })
  answerUsers(backend, [aUser({ is_admin: true })])
})

test('without passwords, users are created and added without one, and their form offers none', async ({
  page,
  backend,
  open,
}) => {
  await open('/users/create?workspace_id=1')
  await fillPerson(page, { first: 'Nadia', last: 'Hlushko', email: 'nadia@example.com' })
  await expect(field(page, 'Password')).toHaveCount(0)
  await expect(toggle(page, 'Invite the user instead')).toHaveCount(0)
  await button(page, 'Create').click()
  await expect(toast(page)).toContainText('User Nadia Hlushko created.')
  expect(backend.calls(createUser)[0]?.body).not.toHaveProperty('password')
  await expect(section(page, 'User created')).toHaveCount(0)

  await open('/users/10/edit')
  await expect(section(page, 'Access').getByRole('heading', { name: 'Second factor' })).toBeVisible()
  await expect(section(page, 'Access').getByRole('heading', { name: 'Password' })).toHaveCount(0)
  await expect(toggle(page, 'Change password')).toHaveCount(0)

  answerImport(backend)
  const release = backend.hold(importUsers)
  await open('/users/import?workspace_id=1')
  await field(page, 'Emails and names').fill('Ada Ivanenko <ada@example.com>')
  await button(page, 'Add 1 user').click()
  await expect.poll(() => backend.calls(importUsers).length).toBe(1)
  await page.getByRole('navigation').getByRole('link', { name: 'Workspaces', exact: true }).click()
  await expect(dialog(page)).toContainText('Those that are added already stay.')
  await button(page, 'Stay').click()
  release()
  await expect(page.getByRole('heading', { name: '1 user added' })).toBeVisible()
  await expect(page.getByText('password')).toHaveCount(0)
  const coming = page.waitForEvent('download')
  await button(page, 'Download result as CSV').click()
  expect(await readFile(await (await coming).path(), 'utf8')).toContain('email,name,outcome,reason')
})

test('without passwords, the account page offers none, and only the provider confirms a dangerous action', async ({
  page,
  backend,
  open,
}) => {
  answerAccount(backend)
  backend.answer(createToken, () => CONFIRM)
  await open('/account')
  await expectAccount(page)
  await expect(section(page, 'Second factor')).toContainText('you sign in without one')
  await expect(section(page, 'Second factor').getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Password' })).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'On this page' })).not.toContainText('Password')
  await fillToken(page, 'Airflow')
  await expect(page.getByRole('link', PROVIDER)).toBeFocused()
  await expect(signInAgain(page).getByRole('textbox')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog(page).getByRole('alert')).toContainText('Sign in again to do this')
})

test.describe('signed out', () => {
  test.use({ isSignedIn: false })

  test('without passwords, a link to set one says how to sign in instead, and the login page has the other way alone', async ({
    page,
    backend,
    open,
  }) => {
    backend.refuse(openLink, 403, 'Everyone signs in with Acme ID.')
    await open(`/set_password#${'a'.repeat(43)}`)
    await expect(errorLine(page)).toHaveText('Everyone signs in with Acme ID.')
    await expect(page.getByText('Your administrator can create a new link')).toHaveCount(0)
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await expect(page.getByRole('link', PROVIDER)).toBeVisible()
    await expect(page.getByRole('textbox').or(page.getByRole('button'))).toHaveCount(0)
    await expect(page.getByText(/Forgot password|^or$/)).toHaveCount(0)
  })
})
