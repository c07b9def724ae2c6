import { createToken, openAccount } from './account-page.ts'
import { ADMIN_ACCOUNT, continueLink, signInAtProvider, test } from './oidc.ts'
import { seed, unique } from './seed.ts'
import {
  account,
  email,
  errorLine,
  loginButton,
  logoutItem,
  makeSignInsOld,
  REFUSED,
  signInAgain,
  storedToken,
} from './session-page.ts'
import { expect } from './test.ts'

// In one worker, so that one server is started.
test.describe.configure({ mode: 'default' })

test('signs in at the provider, and signs out there too', async ({ page, provider, faults }) => {
  // Signing out rejects calls that are still on their way.
  faults.allow(REFUSED)
  await page.goto('/login')
  await expect(email(page)).toBeVisible()
  await continueLink(page).click()
  await expect(page).toHaveURL((url) => url.origin === provider.issuer)
  await signInAtProvider(page, ADMIN_ACCOUNT)
  await expect(page).toHaveURL('/users')
  await expect(account(page)).toBeVisible()
  await page.reload()
  await expect(account(page)).toBeVisible()

  await account(page).click()
  await logoutItem(page).click()
  await expect(page).toHaveURL((url) => url.origin === provider.issuer)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  await expect(errorLine(page)).toHaveCount(0)
  expect(await storedToken(page)).toBeNull()

  // The provider asks again, because the user has signed out there.
  await continueLink(page).click()
  await expect(page.getByLabel('Account')).toBeVisible()
})

test('shows why a sign-in failed, and the other ways to sign in, and accepts no answer for a sign-in that another browser started', async ({
  page,
  provider,
}) => {
  provider.accounts.stranger = { email: 'stranger@example.com', email_verified: true }
  await page.goto('/login')
  await continueLink(page).click()
  await signInAtProvider(page, 'stranger')
  await expect(errorLine(page)).toHaveText('You have no account here. Ask an admin to add you.')
  await expect(loginButton(page)).toBeVisible()
  await expect(continueLink(page)).toBeVisible()
  expect(await storedToken(page)).toBeNull()

  await page.context().clearCookies()
  await continueLink(page).click()
  await signInAtProvider(page, 'nobody')
  await expect(errorLine(page)).toHaveText('The sign-in was cancelled, or the provider refused it. Try again.')

  await page.goto('/sso/callback?code=somebody&state=else')
  await expect(errorLine(page)).toHaveText('This sign-in has expired, or was started in another browser. Start again.')
  await page.goto('/login?sso=toString')
  await expect(continueLink(page)).toBeVisible()
  await expect(page.getByText('native code')).toHaveCount(0)
})

test('a dangerous action waits for a window of the provider, and another user there does not do it', async ({
  page,
  context,
  watchdesk,
  provider,
  faults,
}) => {
  faults.allow(REFUSED)
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Provider'))
  const other = await user(id, { is_admin: true })
  provider.accounts.other = { email: other.email, email_verified: true }
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await continueLink(page).click()
  await signInAtProvider(page, ADMIN_ACCOUNT)
  await expect(account(page)).toBeVisible()
  await openAccount(page)
  const token = await storedToken(page)
  await makeSignInsOld(watchdesk)
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/account/tokens/')) {
      statuses.push(response.status())
    }
  })
  await createToken(page, 'Airflow')
  await expect(signInAgain(page)).toContainText('To do this, confirm that it is you.')

  const opened = context.waitForEvent('page')
  await continueLink(page).click()
  const popup = await opened
  // The provider asks, although it knows who is signed in there.
  await signInAtProvider(popup, 'other')
  await expect(errorLine(popup)).toHaveText(
    `You signed in as ${other.email}. To continue, sign in as ${watchdesk.email}.`,
  )
  await expect(signInAgain(page)).toBeVisible()
  expect([statuses, await storedToken(page)]).toEqual([[401], token])

  const closed = popup.waitForEvent('close')
  await popup.getByRole('link', { name: 'Try again' }).click()
  await signInAtProvider(popup, ADMIN_ACCOUNT)
  await closed
  await expect(page.getByText(/^wdk_/)).toBeVisible()
  await expect(signInAgain(page)).toHaveCount(0)
  expect(statuses).toEqual([401, 201])
  expect(await storedToken(page)).not.toBe(token)
})
