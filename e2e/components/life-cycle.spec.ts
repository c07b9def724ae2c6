import { lifeCycle } from '@watchdesk/contract/catalog'
import { listUsers } from '@watchdesk/contract/users'
import { workspaceImpact } from '@watchdesk/contract/workspaces'
import { ai, analytical, button, choose, dialog, field, row } from '../workspaces-page.ts'
import { aUser, aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

test('the prompt before deleting shows admins, dashboards and the last activity', async ({ page, backend, open }) => {
  keepWorkspaces(backend, aWorkspace())
  answerList(
    backend,
    listUsers,
    [1, 2, 3, 4, 5].map((id) => aUser({ id, is_admin: true })),
  )
  const admin_names = ['Vera Moroz', 'Olena Koval', 'Iryna Shevchuk']
  backend.answer(workspaceImpact, { users: 5, admins: 5, admin_names, dashboards: 1, last_activity_at: null })
  await open('/workspaces')
  await button(page, 'Delete Baltic').click()
  await expect(dialog(page)).toContainText('This deletes Baltic and its 5 users, who lose access immediately.')
  await expect(dialog(page)).toContainText('and 2 others')
  await expect(dialog(page)).toContainText('Dashboards1')
  await expect(dialog(page)).toContainText('Last activityNone known')
})

test('a trial past its end date is shown as ended in the list and on the view page', async ({
  page,
  backend,
  open,
}) => {
  keepWorkspaces(backend, aWorkspace({ status: 'TRIAL', trial_end_date: '2026-01-31T00:00:00' }))
  backend.answer(lifeCycle, { quota_renewal: 'off', trial_end: 'show' })
  await open('/workspaces')
  await expect(row(page, 'Baltic')).toContainText('TRIAL ended')
  await row(page, 'Baltic').getByRole('link', { name: 'Baltic', exact: true }).click()
  await expect(page.getByText('ended on Jan 31, 2026')).toBeVisible()
})

test('with quotas that are renewed and trials that are deactivated, the form says what will happen on each date', async ({
  page,
  backend,
  open,
}) => {
  backend.answer(lifeCycle, { quota_renewal: 'monthly', trial_end: 'deactivate' })
  const quota = (limit: number, day: string) => ({ limit, balance: 1, renewal_date: `${day}T00:00:00` })
  keepWorkspaces(
    backend,
    aWorkspace({ analytical_quota: quota(10_000, '2099-12-01'), ai_quota: quota(500, '2099-12-31') }),
  )
  await open('/workspaces/1/edit')
  await expect(field(analytical(page), 'Next renewal date')).toHaveAccessibleDescription(
    'On Dec 1, 2099 the balance becomes 10,000 again, then on the 1st of every month.',
  )
  await field(ai(page), 'Limit').fill('700')
  await expect(field(ai(page), 'Next renewal date')).toHaveAccessibleDescription(
    'On Dec 31, 2099 the balance becomes 700 again, then on the last day of every month.',
  )
  await choose(page, 'Status', 'TRIAL')
  await field(page, 'Trial end date').fill('2099-01-01')
  await field(page, 'Trial end date').blur()
  await expect(field(page, 'Trial end date')).toHaveAccessibleDescription(
    'At the end of this day (UTC), the workspace is deactivated.',
  )
})
