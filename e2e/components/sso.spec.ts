import { currentUser, getSignInOptions, SSO_PROBLEMS } from '@watchdesk/contract/auth/session'
import { section } from '../account-page.ts'
import { errorLine, loginButton } from '../session-page.ts'
import { ME } from './records.ts'
import { expect, test } from './test.ts'

test('someone whose password ended with single sign-on is told that it is the only way now', async ({
  page,
  backend,
  open,
}) => {
  const notices = [{ id: 1, kind: 'replaced_by_sso' as const, by: null, at: '2026-11-17T01:00:00.000Z' }]
  backend.answer(currentUser, { ...ME, notices })
  await open('/users')
  await expect(section(page, 'Notices').getByRole('status')).toHaveText(
    /^Single sign-on is now your only way to sign in, since .+\. Other ways were removed\.$/,
  )
})

test.describe('signed out', () => {
  test.use({ isSignedIn: false })

  test('shows why a sign-in failed, and the other ways to sign in', async ({ page, backend, open }) => {
    backend.answer(getSignInOptions, { password: true, forgotten_password: false, sso: { label: 'Acme ID' } })
    for (const [code, reason] of [
      ['refused', SSO_PROBLEMS.refused],
      ['toString', SSO_PROBLEMS.invalid],
    ]) {
      await open(`/login?sso=${code}`)
      await expect(errorLine(page)).toHaveText(reason ?? '')
      await expect(page).toHaveURL('/login')
      await expect(loginButton(page)).toBeVisible()
      await expect(page.getByRole('link', { name: 'Continue with Acme ID' })).toBeVisible()
    }
  })
})
