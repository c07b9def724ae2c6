import type { Page } from '@playwright/test'
import { currentUser } from '@watchdesk/contract/auth/session'
import { listRuns } from '@watchdesk/contract/narratives-vectorization'
import { getOverview, OVERVIEW_DAYS, type Overview } from '@watchdesk/contract/overview'
import { button, heading } from '../workspaces-page.ts'
import { ME } from './records.ts'
import { expect, test } from './test.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const QUOTA = { used: 1, limit: 2 }
const ENDED = { id: 1, name: 'Baltic', day: dayBefore(9), left: null, detail: null }

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** One more user every day, and as many trials that have ended. */
function anOverview(trials_ended = 0): Overview {
  const days = Array.from({ length: OVERVIEW_DAYS + 1 }, (_, index) => ({
    day: dayBefore(OVERVIEW_DAYS - index),
    users: index,
    ...{ sources: 5, stories: 6, imports: 1, analytical_quota: QUOTA, ai_quota: QUOTA },
    is_computed: false,
  }))
  return {
    today: dayBefore(0),
    attention: {
      ...{ trials_ended, trials_within_7: 0, trials_within_30: 0, analytical_used_up: 0, analytical_low: 0 },
      ...{ ai_used_up: 0, ai_low: 0, renewals_overdue: 0, without_admin: 0 },
      ...{ imports_failed: 0, runs_failed: 0, users_locked: 0 },
    },
    first: {
      trials: trials_ended > 0 ? [ENDED] : [],
      ...{ analytical: [], ai: [], renewals: [], without_admin: [], imports: [], runs: [], users: [] },
    },
    days,
  }
}

test.beforeEach(({ backend }) => backend.answer(getOverview, anOverview()))

test('a chart is read with the arrow keys, and as a table', async ({ page, open }) => {
  await open('/overview')
  const users = card(page, 'Users')
  await expect(users.getByRole('img')).toHaveAccessibleName(
    /^Users\. First: .+\. Last: .+\. Lowest: .+\. Highest: .+\.$/,
  )
  const slider = users.getByRole('slider', { name: 'Users by day' })
  await slider.focus()
  const last = await slider.getAttribute('aria-valuetext')
  await page.keyboard.press('ArrowLeft')
  await expect(slider).not.toHaveAttribute('aria-valuetext', last ?? '')
  await button(page, 'Show as table of Users').click()
  await expect(users.getByRole('row')).toHaveCount(31)
  await page.getByRole('link', { name: '90 days' }).click()
  await expect(page).toHaveURL('/overview?days=90')
  await expect(page.getByRole('list', { name: 'Days' }).locator('[aria-current]')).toHaveText('90 days')
  await expect(users.getByRole('row')).toHaveCount(91)
  await button(page, 'Show chart of Users').click()
  await expect(users.getByRole('img')).toBeVisible()
})

test('what has been done is gone when the page is returned to; nothing to do is a sentence, and a failure offers another attempt', async ({
  page,
  backend,
  open,
}) => {
  backend.refuse(getOverview, 400, 'Broken')
  // On a phone it is reached through the menu, and everything fits.
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/users')
  await button(page, 'Open menu').click()
  await page.getByRole('dialog').getByRole('link', { name: 'Overview', exact: true }).click()
  await expect(button(page, 'Try again')).toBeVisible()
  backend.answer(getOverview, anOverview(2))
  await button(page, 'Try again').click()
  const ended = card(page, 'Trials').getByRole('link', { name: /ended$/ })
  await expect(ended).toHaveText(/^2/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  backend.answer(getOverview, anOverview())
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(page.getByText('Nothing needs you today')).toBeVisible()
  await expect(page.getByText('No trial has ended or ends within 30 days')).toBeVisible()
})

test('a failed run is found by the filters of the runs', async ({ page, backend, open }) => {
  await open('/narratives_vectorization?status=failed&from=2090-01-01')
  await expect(page.getByRole('search', { name: 'Filters of the runs' })).toContainText('Started from Jan 1, 2090')
  await expect(page.getByText('No runs match.')).toBeVisible()
  expect(backend.calls(listRuns)[0]?.query).toMatchObject({ status: 'failed', from: '2090-01-01' })
  await button(page, 'Clear').click()
  await expect(page).toHaveURL('/narratives_vectorization')
  await expect(page.getByText('No runs match.')).toHaveCount(0)
})

test('a workspace admin has neither an entry in the menu nor access', async ({ page, backend, open }) => {
  backend.answer(currentUser, { ...ME, is_super_admin: false, is_admin: true })
  backend.refuse(getOverview, 403, 'Only super admins can do this.')
  await open('/users')
  await expect(menu(page).getByRole('link', { name: 'Bin' })).toBeVisible()
  await expect(menu(page).getByRole('link', { name: 'Overview' })).toHaveCount(0)
  await open('/overview')
  await expect(heading(page)).toHaveText("You don't have access to this page")
})
