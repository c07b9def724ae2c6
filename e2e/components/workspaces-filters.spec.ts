import { listWorkspaces } from '@watchdesk/contract/workspaces'
import { addFilter, button, chips, filters, found, row } from '../workspaces-page.ts'
import { aWorkspace } from './records.ts'
import { expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

test('at most three clicks from any page: which trials end this month, and who has used up the AI quota', async ({
  page,
  backend,
  open,
}) => {
  const ai_quota = { balance: 0, limit: 1000, renewal_date: '2027-01-01T00:00:00' }
  keepWorkspaces(backend, aWorkspace({ status: 'TRIAL', trial_end_date: '2027-05-01T00:00:00', ai_quota }))
  const now = new Date()
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
  await open('/activity')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workspaces' }).click()
  await button(page, 'Views').click()
  await page.getByRole('link', { name: 'Trials that end this month', exact: true }).click()
  await expect(chips(page)).toHaveText([/^Trial: ends from .* until .*$/])
  await expect(page.getByRole('columnheader', { name: 'Trial end' })).toBeVisible()
  const asked = () => backend.calls(listWorkspaces).at(-1)?.query
  await expect.poll(asked).toMatchObject({ trial_from: `${last.slice(0, 8)}01`, trial_to: last })

  await button(page, 'Views').click()
  await page.getByRole('link', { name: 'AI quota used up', exact: true }).click()
  await expect(row(page, 'Baltic')).toContainText('0 of 1,000')
  await expect(chips(page)).toHaveText(['Status: All but deactivated', 'AI quota: used up'])
  await expect.poll(asked).toMatchObject({ status: 'IN_USE', ai_under: '0' })
})

test('by role, by feature flag, by a quota, by renewals and by days, whose order is checked', async ({
  page,
  backend,
  open,
}) => {
  await open('/workspaces?search=a')
  const asked = () => backend.calls(listWorkspaces).at(-1)?.query
  for (const [label, value, param] of [
    ['Role', 'analyst', 'role'],
    ['Feature flag', 'exports', 'featureflag'],
  ] as const) {
    await addFilter(page, label)
    await filters(page).getByRole('combobox', { name: label }).fill(value)
    await page.keyboard.press('Enter')
    await expect.poll(asked).toMatchObject({ search: 'a', [param]: value })
  }
  await addFilter(page, 'Analytical quota')
  await filters(page).getByRole('textbox', { name: 'Analytical quota left, less than (%)' }).fill('9')
  await page.keyboard.press('Enter')
  await expect(chips(page).filter({ hasText: 'Analytical quota: less than 9% left' })).toBeVisible()
  await filters(page).getByRole('button', { name: 'Analytical quota: less than 9% left', exact: true }).click()
  await button(page, 'Less than 10% left').click()
  await expect.poll(asked).toMatchObject({ analytical_under: '10' })
  await button(page, 'Remove Analytical quota: less than 10% left').click()
  await expect(button(page, 'Add filter')).toBeFocused()
  await addFilter(page, 'Quota renewal overdue')
  await expect(chips(page)).toHaveText(['Quota renewal: overdue', 'Role: analyst', 'Feature flag: exports'])
  await expect.poll(asked).toMatchObject({ renewal: 'overdue' })

  await addFilter(page, 'Trial')
  await filters(page).getByLabel('Trial ends from').fill('2031-02-01')
  await filters(page).getByLabel('Trial ends until').fill('2031-01-01')
  const hint = filters(page).getByText('The first day is after the last one.')
  await expect(hint).toBeVisible()
  await filters(page).getByLabel('Trial ends until').fill('2031-02-01')
  await expect(hint).toHaveCount(0)
})

test('on a phone the filters are in a sheet', async ({ page, backend, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  keepWorkspaces(backend, aWorkspace())
  await open('/workspaces')
  await button(page, 'Filters').click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('checkbox', { name: 'TRIAL', exact: true }).check()
  await sheet.getByRole('checkbox', { name: 'Has no admin' }).check()
  await button(page, 'Show workspaces').click()
  await expect(button(page, 'Filters (2)')).toBeVisible()
  await expect(chips(page)).toHaveText(['Status: TRIAL', 'Admins: none'])
  await expect(found(page)).toHaveText('1 workspace found')
  expect(backend.calls(listWorkspaces).at(-1)?.query).toMatchObject({ status: 'TRIAL', admin: 'none' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
