import { login } from '@watchdesk/contract/auth/session'
import { submit } from '../session-page.ts'
import { expect, test } from './test.ts'

test.use({ isSignedIn: false })

test('signs in, and shows that it does, while the file with the checks does not arrive', async ({ page, backend }) => {
  backend.answer(login, { access_token: 'any' })
  await page.route('**/assets/session.schema-*.js', () => {})
  await page.goto('/login')
  await submit(page, { email: 'a@example.com', password: 'secret' })
  await expect(page.getByRole('status', { name: 'Signing in' })).toBeVisible()
  await expect(page).toHaveURL('/users')
})
