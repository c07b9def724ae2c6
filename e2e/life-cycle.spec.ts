import type { Page } from '@playwright/test'
import type { User } from '@watchdesk/contract/users'
import { historyLink, openEvent } from './history-page.ts'
import { email, errorLine, password, REFUSED, submit } from './session-page.ts'
import { expect, signIn } from './test.ts'
import { startWatchdesk } from './watchdesk.ts'
import { ai, analytical, button, choose, dialog, field, PASSWORD, row, select, test, toast } from './workspaces-page.ts'

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

  test('the login page shows the reason only after the right password', async ({ page, make }) => {
    const { id } = await make.workspace({ status: 'DEACTIVATED' })
    const admin = await make.user(id, { is_admin: true })
    await page.context().setStorageState({ cookies: [], origins: [] })
    await page.goto('/login')
    await submit(page, { email: admin.email, password: 'not this one' })
    await expect(errorLine(page)).toHaveText('Wrong email or password.')
    await submit(page, { email: admin.email, password: PASSWORD })
    await expect(errorLine(page)).toHaveText(REASON)
    await expect(email(page)).toHaveValue(admin.email)
  })

  test('nobody deactivates their own workspace', async ({ page }) => {
    await page.goto('/workspaces/1/edit')
    await choose(page, 'Status', 'DEACTIVATED')
    await button(page, 'Save').click()
    await button(dialog(page), 'Deactivate').click()
    await expect(toast(page)).toContainText('You cannot deactivate your own workspace.')
  })

  test('putting the status back shows who loses access', async ({ page, make, api }) => {
    const { id, ...workspace } = await make.workspace({ status: 'DEACTIVATED' })
    const admin = await make.user(id, { is_admin: true })
    const { name, analytical_quota, ai_quota } = workspace
    await api('PUT', `workspaces/${id}`, { name, analytical_quota, ai_quota, status: 'FREE_ACCESS' })
    await page.goto(`/workspaces/${id}/edit`)
    await historyLink(page).click()
    await openEvent(page, 'status')
    await button(page, 'Put back Status').click()
    const ask = page.getByRole('dialog', { name: 'Put back Status?' })
    await expect(ask).toContainText('This deactivates the workspace')
    await expect(ask).toContainText(`Admins who lose access${admin.first_name} ${admin.last_name}`)
  })
})

test('the prompt before deleting shows admins, dashboards and the last activity', async ({ page, make }) => {
  const { id: dashboard } = await make.dashboard()
  const { id, name } = await make.workspace({ powerbi_dashboards: [dashboard] })
  for (let index = 0; index < 5; index += 1) await make.user(id, { is_admin: true })
  await page.goto(`/workspaces?search=${name}`)
  await button(page, `Delete ${name}`).click()
  await expect(dialog(page)).toContainText(`This deletes ${name} and its 5 users, who lose access immediately.`)
  await expect(dialog(page)).toContainText('and 2 others')
  await expect(dialog(page)).toContainText('Dashboards1')
  await expect(dialog(page)).toContainText('Last activityNone known')
})

test('a trial past its end date is shown as ended in the list, on the view page and in the form', async ({
  page,
  make,
}) => {
  const { id, name } = await make.workspace({ status: 'TRIAL', trial_end_date: '2026-01-31T00:00:00' })
  await page.goto(`/workspaces?search=${name}`)
  await expect(row(page, name)).toContainText('TRIAL ended')
  await page.goto(`/workspaces/${id}`)
  await expect(page.getByText('ended on Jan 31, 2026')).toBeVisible()
  await page.goto(`/workspaces/${id}/edit`)
  await expect(field(page, 'Trial end date')).toHaveAccessibleDescription(
    'This date is in the past. The trial has already ended. Its users keep their access.',
  )
})

test('without renewals, the form says that nothing happens automatically', async ({ page, make }) => {
  const { id } = await make.workspace()
  await page.goto(`/workspaces/${id}/edit`)
  await expect(field(ai(page), 'Next renewal date')).toHaveAccessibleDescription(
    'Nothing happens automatically on this date.',
  )
})

test.describe('with quotas that are renewed and trials that are deactivated', () => {
  const own = test.extend<object, { watchdesk: Awaited<ReturnType<typeof startWatchdesk>> }>({
    watchdesk: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
      async ({}, use) => {
        const watchdesk = await startWatchdesk({ QUOTA_RENEWAL: 'monthly', TRIAL_END: 'deactivate' })
        await use(watchdesk)
        await watchdesk.stop()
      },
      { scope: 'worker', timeout: 90_000 },
    ],
  })

  own('the form says what will happen on each date', async ({ page, make }) => {
    const quota = (limit: number, day: string) => ({ limit, balance: 1, renewal_date: `${day}T00:00:00` })
    const { id } = await make.workspace({
      analytical_quota: quota(10_000, '2099-12-01'),
      ai_quota: quota(500, '2099-12-31'),
    })
    await page.goto(`/workspaces/${id}/edit`)
    await expect(field(analytical(page), 'Next renewal date')).toHaveAccessibleDescription(
      'On Dec 1, 2099 the balance becomes 10,000 again, then on the 1st of every month.',
    )
    const renewal = field(ai(page), 'Next renewal date')
    await expect(renewal).toHaveAccessibleDescription(
      'On Dec 31, 2099 the balance becomes 500 again, then on the last day of every month.',
    )
    await field(ai(page), 'Limit').fill('700')
    await renewal.fill('2026-01-03')
    await renewal.blur()
    await expect(renewal).toHaveAccessibleDescription(
      'This date has come: the balance becomes 700 again within a minute, then on the 3rd of every month.',
    )
    await choose(page, 'Status', 'TRIAL')
    await field(page, 'Trial end date').fill('2099-01-01')
    await field(page, 'Trial end date').blur()
    await expect(field(page, 'Trial end date')).toHaveAccessibleDescription(
      'At the end of this day (UTC), the workspace is deactivated.',
    )
  })
})
