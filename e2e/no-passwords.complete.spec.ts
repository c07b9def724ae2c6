import { createToken, openAccount, section } from './account-page.ts'
import { ADMIN_ACCOUNT, continueLink, LABEL, signInAtProvider, test } from './oidc.ts'
import { runCommand } from './processes.ts'
import { account, errorLine, loginButton, makeSignInsOld, REFUSED, signInAgain } from './session-page.ts'
import { goToEmpty } from './tab.ts'
import { expect } from './test.ts'
import { button, choose, fillPerson, toast, toggle } from './users-page.ts'
import { unique } from './workspaces-page.ts'

test.use({ settings: { PASSWORD_LOGIN: 'off' } })

test('without passwords: a user is created and signs in at the provider, and only a link of the command line signs in otherwise', async ({
  page,
  context,
  provider,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  await page.goto(`/set_password#${'a'.repeat(43)}`)
  await expect(errorLine(page)).toHaveText(new RegExp(`signs? in with ${LABEL}`, 'i'))
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await expect(continueLink(page)).toBeVisible()
  await expect(loginButton(page)).toHaveCount(0)
  await continueLink(page).click()
  await signInAtProvider(page, ADMIN_ACCOUNT)
  await expect(account(page)).toBeVisible()

  const person = { first: 'Nadia', last: 'Hlushko', email: `${unique('nadia')}@example.com` }
  await page.goto('/users/create')
  await choose(page, 'Workspace', 'Internal')
  await fillPerson(page, person)
  await toggle(page, 'Workspace admin').press('Space')
  await button(page, 'Create').click()
  await expect(toast(page)).toContainText('User Nadia Hlushko created.')

  provider.accounts.nadia = { email: person.email, email_verified: true }
  await signOut()
  await page.goto('/login')
  await continueLink(page).click()
  await signInAtProvider(page, 'nadia')
  await expect(page.getByRole('button', { name: 'Nadia Hlushko', exact: true })).toBeVisible()

  await signOut()
  const settings = { DATA_DIR: watchdesk.data, PUBLIC_URL: watchdesk.url }
  const args = ['scripts/run.mjs', 'sign-in-link', watchdesk.email]
  const { code, output } = await runCommand(process.execPath, args, settings)
  expect(code, output).toBe(0)
  await page.goto(output.match(/http\S+\/sign_in#\S+/)?.[0] ?? '')
  await expect(account(page)).toBeVisible()
  await openAccount(page)
  await expect(section(page, 'Sessions')).toContainText('Signed in with single sign-on')
  await expect(section(page, 'Sessions')).toContainText('Signed in with a link')
  await makeSignInsOld(watchdesk)
  await createToken(page, 'Airflow')
  await expect(signInAgain(page)).toBeVisible()
  await expect(continueLink(page)).toBeFocused()

  async function signOut() {
    // Away from a page that may still make calls.
    await goToEmpty(page, watchdesk.url)
    await page.evaluate(() => localStorage.clear())
    await context.clearCookies()
  }
})
