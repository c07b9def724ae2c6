import type { Page } from '@playwright/test'
import { listWorkspaces } from '@watchdesk/contract/workspaces'
import { expectAccessible } from '../accessible.ts'
import { addFilter, button, chips, filters, found, heading, row } from '../workspaces-page.ts'
import { aWorkspace } from './records.ts'
import { expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

/** Counts the clicks of the mouse, wherever they are. */
async function countClicks(page: Page) {
  await page.evaluate(() => {
    const counted = window as typeof window & { clicks?: number }
    const isCounted = counted.clicks !== undefined
    counted.clicks = 0
    if (isCounted) return
    window.addEventListener('pointerdown', () => (counted.clicks = (counted.clicks ?? 0) + 1), { capture: true })
  })
  return () => page.evaluate(() => (window as typeof window & { clicks: number }).clicks)
}

test.describe('at most three clicks from any page', () => {
  async function openView(page: Page, name: string) {
    await expect(heading(page)).toBeVisible()
    const clicks = await countClicks(page)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workspaces' }).click()
    await expect(heading(page)).toHaveText('Workspaces')
    await button(page, 'Views').click()
    await page.getByRole('link', { name, exact: true }).click()
    await expect(chips(page).first()).toBeVisible()
    expect(await clicks()).toBe(3)
  }

  test('which trials end this month, from /users, /activity and /dashboards/create', async ({
    page,
    backend,
    open,
  }) => {
    keepWorkspaces(backend, aWorkspace({ status: 'TRIAL', trial_end_date: '2027-05-01T00:00:00' }))
    const now = new Date()
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
    for (const start of ['/users', '/activity', '/dashboards/create']) {
      await open(start)
      await openView(page, 'Trials that end this month')
      await expect(chips(page)).toHaveText([/^Trial: ends from .* until .*$/])
      await expect(page.getByRole('columnheader', { name: 'Trial end' })).toBeVisible()
      const { query } = backend.calls(listWorkspaces).at(-1) ?? {}
      expect(query).toMatchObject({ trial_from: `${last.slice(0, 8)}01`, trial_to: last })
    }
  })

  test('who has used up the AI quota', async ({ page, backend, open }) => {
    const ai_quota = { balance: 0, limit: 1000, renewal_date: '2027-01-01T00:00:00' }
    keepWorkspaces(backend, aWorkspace({ ai_quota }))
    await open('/website_config')
    await openView(page, 'AI quota used up')
    await expect(row(page, 'Baltic')).toContainText('0 of 1,000')
    await expect(chips(page)).toHaveText(['Status: All but deactivated', 'AI quota: used up'])
    expect(backend.calls(listWorkspaces).at(-1)?.query).toMatchObject({ status: 'IN_USE', ai_under: '0' })
  })
})

test('the field of a filter stays where it opened, while its chip grows', async ({ page, open }) => {
  await page.setViewportSize({ width: 1100, height: 800 })
  await open('/workspaces')
  const popup = page.getByRole('dialog', { name: 'Add filter' })
  const place = () =>
    popup.evaluate((element) => [element.getBoundingClientRect().x, element.getBoundingClientRect().y])
  await button(page, 'Add filter').click()
  await expect(popup).toHaveCSS('opacity', '1')
  const opened = await place()
  await button(popup, 'Status').click()
  for (const name of ['TRIAL', 'INTERNAL', 'DEACTIVATED', 'No status']) {
    await filters(page).getByRole('checkbox', { name, exact: true }).check()
    await expect(chips(page)).toHaveText(new RegExp(name))
    expect(await place()).toEqual(opened)
  }
})

test('a first day after the last one is pointed out', async ({ page, open }) => {
  await open('/workspaces')
  await addFilter(page, 'Trial')
  await filters(page).getByLabel('Trial ends from').fill('2031-02-01')
  await filters(page).getByLabel('Trial ends until').fill('2031-01-01')
  const hint = filters(page).getByText('The first day is after the last one.')
  await expect(hint).toBeVisible()
  await filters(page).getByLabel('Trial ends until').fill('2031-02-01')
  await expect(hint).toHaveCount(0)
})

test('by role and by feature flag', async ({ page, backend, open }) => {
  await open('/workspaces?search=a')
  for (const [label, value, param] of [
    ['Role', 'analyst', 'role'],
    ['Feature flag', 'exports', 'featureflag'],
  ] as const) {
    await addFilter(page, label)
    await filters(page).getByRole('combobox', { name: label }).fill(value)
    await page.keyboard.press('Enter')
    await expect(chips(page)).toHaveText([`${label}: ${value}`])
    await expect.poll(() => backend.calls(listWorkspaces).at(-1)?.query).toMatchObject({ search: 'a', [param]: value })
    await button(page, 'Clear').click()
    await expect(chips(page)).toHaveCount(0)
  }
})

test('on a phone the filters are in a sheet', async ({ page, backend, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  keepWorkspaces(backend, aWorkspace())
  await open('/workspaces')
  await button(page, 'Filters').click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('checkbox', { name: 'TRIAL', exact: true }).check()
  await sheet.getByRole('checkbox', { name: 'Has no admin' }).check()
  await expectAccessible(page)
  await button(page, 'Show workspaces').click()
  await expect(button(page, 'Filters (2)')).toBeVisible()
  await expect(chips(page)).toHaveText(['Status: TRIAL', 'Admins: none'])
  await expect(found(page)).toHaveText('1 workspace found')
  expect(backend.calls(listWorkspaces).at(-1)?.query).toMatchObject({ status: 'TRIAL', admin: 'none' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
