import type { Page } from '@playwright/test'
import { ADMIN_ACCOUNT, LABEL, signInAtProvider, test } from './oidc.ts'
import { account, email, errorLine, loginButton, logoutItem, storedToken } from './session-page.ts'
import { expect } from './test.ts'

const continueLink = (page: Page) => page.getByRole('link', { name: `Continue with ${LABEL}` })

test('signs in at the provider, and signs out there too', async ({ page, provider }) => {
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

test('shows why a sign-in failed, and the other ways to sign in', async ({ page, provider }) => {
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
})

test('accepts no answer for a sign-in that another browser started', async ({ page }) => {
  await page.goto('/sso/callback?code=somebody&state=else')
  await expect(errorLine(page)).toHaveText('This sign-in has expired, or was started in another browser. Start again.')
  await page.goto('/login?sso=toString')
  await expect(continueLink(page)).toBeVisible()
  await expect(page.getByText('native code')).toHaveCount(0)
})
