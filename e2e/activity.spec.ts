import { changes, details, lines } from './activity-page.ts'
import { downloaded } from './sources-page.ts'
import { expect } from './test.ts'
import { button, test } from './workspaces-page.ts'

const QUOTA = { limit: 1000, balance: 250, renewal_date: '2027-01-01T00:00:00' }

test('a change is listed with the labels of the form, its values before and after, and the changed words marked; the events are downloaded', async ({
  page,
  api,
  make,
}) => {
  const dashboard = await make.dashboard()
  const { id, name } = await make.workspace({ description: 'A daily summary for editors in the south' })
  await api('PUT', `workspaces/${id}`, {
    name,
    description: 'A weekly summary for editors in the south and east',
    status: 'TRIAL',
    trial_end_date: '2026-12-24T00:00:00',
    analytical_quota: QUOTA,
    ai_quota: { ...QUOTA, limit: 2000 },
    powerbi_dashboards: [dashboard.id],
  })
  await page.goto(`/activity?workspace_id=${id}`)
  await expect(lines(page)).toHaveText([
    `Super Admin changed 5 fields of ${name}`,
    `Super Admin created the workspace ${name}`,
  ])
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible()
  const opener = details(page, `Details: Super Admin changed 5 fields of ${name}`)
  await expect(opener).toHaveAttribute('aria-expanded', 'false')
  await opener.click()
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  await expect(changes(page).getByRole('row')).toHaveText([
    'FieldBeforeAfter',
    'DescriptionA daily summary for editors in the southA weekly summary for editors in the south and east',
    'Status–TRIAL',
    'Trial end date–Dec 24, 2026',
    'AI quota limit1,0002,000',
    `PowerBI dashboards–${dashboard.name}`,
  ])
  await expect(changes(page).locator('del')).toHaveText(['daily'])
  await expect(changes(page).locator('ins')).toHaveText(['weekly', ' and east', dashboard.name])
  // Not by color alone.
  await expect(changes(page).locator('del').first()).toHaveCSS('text-decoration-line', 'line-through')
  await expect(changes(page).locator('ins').first()).toHaveCSS('text-decoration-line', 'underline')
  await expect(page.getByRole('main')).toContainText('127.0.0.1')

  await button(page, 'Download').click()
  const csv = await downloaded(page, page.getByRole('menuitem', { name: 'CSV' }))
  expect(csv.name).toMatch(/\.csv$/)
  expect(csv.text.trim().split('\n')).toHaveLength(3)
  expect(csv.text).toContain(name)

  await lines(page).first().getByRole('link', { name }).click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  await page.goBack()
  await expect(lines(page)).toHaveCount(2)
})
