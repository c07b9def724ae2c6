import type { Page } from '@playwright/test'
import type { User } from '@watchdesk/contract/users'
import { errorLine, password, REFUSED } from './session-page.ts'
import { expect, signIn } from './test.ts'
import { button, choose, dialog, PASSWORD, row, select, test, toast } from './workspaces-page.ts'

const REASON = 'Your workspace is deactivated, so you cannot sign in. Ask a super admin to activate it again.'

function signInAs(page: Page, url: string, user: User) {
  return signIn(page, { url, email: user.email, password: PASSWORD })
}

test.describe('a deactivated workspace', () => {
  test.beforeEach(({ faults }) => faults.allow(REFUSED))

  test('an open page of its admin is signed out at once, and the sign-in says why', async ({
    page,
    make,
    browser,
    watchdesk,
  }) => {
    const { id, name } = await make.workspace({ status: 'PAID_CLIENT' })
    const admin = await make.user(id, { is_admin: true })
    const context = await browser.newContext({ baseURL: watchdesk.url })
    const theirs = await context.newPage()
    await signInAs(theirs, watchdesk.url, admin)
    await theirs.goto('/users')
    await expect(row(theirs, admin.email)).toBeVisible()

    await page.goto(`/workspaces/${id}/edit`)
    await choose(page, 'Status', 'DEACTIVATED')
    await expect(select(page, 'Status')).toHaveAccessibleDescription(
      'Its users cannot sign in, and their sessions end at once. Its data is kept, and another status lets them in again.',
    )
    await button(page, 'Save').click()
    await expect(dialog(page)).toHaveAccessibleName('Deactivate this workspace?')
    await expect(dialog(page)).toContainText(`Admins who lose access${admin.first_name} ${admin.last_name}`)
    await expect(dialog(page)).toContainText('Users1')
    await button(dialog(page), 'Cancel').click()
    await expect(button(page, 'Save')).toBeVisible()
    await button(page, 'Save').click()
    await button(dialog(page), 'Deactivate').click()
    await expect(toast(page)).toContainText(`Workspace ${name} saved.`)

    await theirs.getByRole('link', { name: 'Workspaces' }).first().click()
    await expect(dialog(theirs)).toHaveAccessibleName('Sign in again')
    await password(theirs).fill(PASSWORD)
    await button(theirs, 'Login').click()
    await expect(errorLine(theirs)).toHaveText(REASON)
    await context.close()
  })
})
