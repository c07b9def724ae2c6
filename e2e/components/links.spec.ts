import { signInWithLink } from '@watchdesk/contract/auth/links'
import { getSignInOptions, logout } from '@watchdesk/contract/auth/session'
import { expectAccessible } from '../accessible.ts'
import { heading } from '../second-factor-page.ts'
import { email, loginButton, storedToken } from '../session-page.ts'
import { expect, test } from './test.ts'

test('a link of the command line asks someone who is signed in, and replaces the session', async ({
  page,
  backend,
  open,
  token,
}) => {
  backend.answer(signInWithLink, { access_token: 'new' })
  backend.answer(logout, undefined)
  await open(`/sign_in#${'a'.repeat(43)}`)
  await expect(heading(page)).toHaveText('Sign in with this link?')
  await expect(page).toHaveURL('/sign_in')
  await expectAccessible(page)
  expect([await storedToken(page), backend.calls(signInWithLink)]).toEqual([token, []])
  await page.getByRole('button', { name: 'Sign in with the link' }).click()
  await expect(page).toHaveURL('/users')
  expect(await storedToken(page)).toBe('new')
  expect(backend.calls(logout).map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`])
})

test.describe('signed out', () => {
  test.use({ isSignedIn: false })

  test('without the secret of a link, the page says to open the link again, and skipping to the content is no secret', async ({
    page,
    open,
  }) => {
    for (const address of ['/sign_in', '/set_password', '/set_password#main']) {
      await open(address)
      await expect(heading(page)).toHaveText('Open your link again')
    }
    await expect(page.getByText('it does not work any more')).toBeVisible()
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await expect(loginButton(page)).toBeVisible()
  })

  test('the login page offers a link for a forgotten password only if mail can be sent, and it needs an email', async ({
    page,
    backend,
    open,
  }) => {
    const link = page.getByRole('link', { name: 'Forgot password?' })
    const options = page.waitForResponse('**/api/v1/login/options')
    await open('/login')
    await options
    await expect(loginButton(page)).toBeVisible()
    await expect(link).toHaveCount(0)
    backend.answer(getSignInOptions, { password: true, forgotten_password: true, sso: null })
    await open('/login')
    await link.click()
    await expect(page).toHaveTitle('Forgot password? · Watchdesk')
    await expect(email(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(email(page)).toHaveAccessibleDescription('Email is required!')
    await expectAccessible(page)
  })
})
