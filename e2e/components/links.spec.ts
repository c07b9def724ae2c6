import { getSignInOptions } from '@watchdesk/contract/session'
import { heading } from '../second-factor-page.ts'
import { loginButton } from '../session-page.ts'
import { expect, test } from './test.ts'

test.use({ isSignedIn: false })

test('without the secret of a link, the page says to open the link again, and skipping to the content is no secret', async ({
  page,
  open,
}) => {
  await open('/set_password')
  await expect(heading(page)).toHaveText('Open your link again')
  await expect(page.getByText('it does not work any more')).toBeVisible()
  await open('/set_password#main')
  await expect(heading(page)).toHaveText('Open your link again')
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await expect(loginButton(page)).toBeVisible()
})

test('the login page offers no link for a forgotten password if no mail can be sent', async ({
  page,
  backend,
  open,
}) => {
  const link = page.getByRole('link', { name: 'Forgot password?' })
  for (const forgotten_password of [true, false]) {
    backend.answer(getSignInOptions, { password: true, forgotten_password, sso: null })
    const options = page.waitForResponse('**/api/v1/login/options')
    await open('/login')
    await options
    await expect(loginButton(page)).toBeVisible()
    await expect(link).toHaveCount(forgotten_password ? 1 : 0)
  }
})
