import { readFile } from 'node:fs/promises'
import type { Route } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { createToken, openAccount, section } from './account-page.ts'
import { ADMIN_ACCOUNT, continueLink, LABEL, signInAtProvider, test } from './oidc.ts'
import { runCommand } from './processes.ts'
import { unique } from './seed.ts'
import {
  account,
  email,
  errorLine,
  loginButton,
  makeSignInsOld,
  password,
  REFUSED,
  signInAgain,
  storedToken,
} from './session-page.ts'
import { goToEmpty } from './tab.ts'
import { expect } from './test.ts'
import { button, choose, dialog, field, fillPerson, heading, row, search, toast, toggle } from './users-page.ts'

test.use({ settings: { PASSWORD_LOGIN: 'off' } })
// In one worker, so that one server is started.
test.describe.configure({ mode: 'default' })

test('a server without passwords: nothing offers one, and users are created without one', async ({
  page,
  context,
  provider,
  watchdesk,
}) => {
  await page.goto('/login')
  await expect(continueLink(page)).toBeVisible()
  await expect(email(page).or(password(page)).or(page.getByRole('button'))).toHaveCount(0)
  await expect(page.getByText(/Forgot password|^or$/)).toHaveCount(0)
  await expectAccessible(page)
  await continueLink(page).click()
  await signInAtProvider(page, ADMIN_ACCOUNT)
  await expect(account(page)).toBeVisible()

  const person = { first: 'Nadia', last: 'Hlushko', email: `${unique('nadia')}@example.com` }
  await page.goto('/users/create')
  await choose(page, 'Workspace', 'Internal')
  await expect(field(page, 'Password')).toHaveCount(0)
  await expect(toggle(page, 'Invite the user instead')).toHaveCount(0)
  await fillPerson(page, person)
  await toggle(page, 'Workspace admin').press('Space')
  await button(page, 'Create').click()
  await expect(toast(page)).toContainText('User Nadia Hlushko created.')
  await expect(section(page, 'User created')).toHaveCount(0)

  await search(page).fill(person.email)
  await row(page, person.email).getByRole('link', { name: /Edit/ }).click()
  const access = section(page, 'Access')
  await expect(access.getByRole('heading', { name: 'Second factor' })).toBeVisible()
  await expect(access.getByRole('heading', { name: 'Password' })).toHaveCount(0)
  await expect(toggle(page, 'Change password')).toHaveCount(0)

  const other = `${unique('ada')}@example.com`
  await page.goto('/users/import')
  await page.getByRole('textbox', { name: 'Emails and names' }).fill(`Ada Ivanenko <${other}>`)
  await choose(page, 'Workspace', 'Internal')
  await expect(toggle(page, 'Invite them')).toHaveCount(0)
  const [call] = await Promise.all([
    new Promise<Route>((resolve) => page.route('**/api/v1/users/import', resolve)),
    button(page, 'Add 1 user').click(),
  ])
  await page.getByRole('navigation').getByRole('link', { name: 'Workspaces', exact: true }).click()
  await expect(dialog(page)).toContainText('Those that are added already stay.')
  await button(page, 'Stay').click()
  await call.continue()
  await expect(page.getByRole('heading', { name: '1 user added' })).toBeVisible()
  await expect(page.getByRole('main').getByText(other)).toBeVisible()
  await expect(page.getByText('password')).toHaveCount(0)
  const coming = page.waitForEvent('download')
  await button(page, 'Download result as CSV').click()
  expect(await readFile(await (await coming).path(), 'utf8')).toContain('email,name,outcome,reason')

  await page.goto('/account')
  await expect(section(page, 'Second factor')).toContainText('you sign in without one')
  await expect(section(page, 'Second factor').getByRole('button')).toHaveCount(0)
  await expect(section(page, 'Sessions')).toContainText('Signed in with single sign-on')
  await expect(page.getByRole('heading', { name: 'Password' })).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'On this page' })).not.toContainText('Password')

  provider.accounts.nadia = { email: person.email, email_verified: true }
  // Away from a page that may still make calls.
  await goToEmpty(page, watchdesk.url)
  await page.evaluate(() => localStorage.clear())
  await context.clearCookies()
  await page.goto('/login')
  await continueLink(page).click()
  await signInAtProvider(page, 'nadia')
  await expect(page.getByRole('button', { name: 'Nadia Hlushko', exact: true })).toBeVisible()
})

test('a link to set a password says how to sign in instead, and one of the command line signs in', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  await page.goto(`/set_password#${'a'.repeat(43)}`)
  await expect(errorLine(page)).toHaveText(new RegExp(`signs? in with ${LABEL}`, 'i'))
  await expect(page.getByText('Your administrator can create a new link')).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await expect(continueLink(page)).toBeVisible()
  await expect(loginButton(page)).toHaveCount(0)

  const settings = { DATA_DIR: watchdesk.data, PUBLIC_URL: watchdesk.url }
  const args = ['scripts/run.mjs', 'sign-in-link', watchdesk.email]
  const { code, output } = await runCommand(process.execPath, args, settings)
  expect(code, output).toBe(0)
  await page.goto(output.match(/http\S+\/sign_in#\S+/)?.[0] ?? '')
  await expect(account(page)).toBeVisible()
  await expect(heading(page)).toHaveText('Users')
  expect(await storedToken(page)).not.toBeNull()
  await openAccount(page)
  await expect(section(page, 'Sessions')).toContainText('Signed in with a link')

  // Only the provider confirms that it is them.
  await makeSignInsOld(watchdesk)
  await createToken(page, 'Airflow')
  await expect(continueLink(page)).toBeFocused()
  await expect(signInAgain(page).getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog(page).getByRole('alert')).toContainText('Sign in again to do this')
})
