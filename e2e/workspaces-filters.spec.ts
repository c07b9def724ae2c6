import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, storeToken } from './test.ts'
import { button, heading, PASSWORD, row, rows, test, unique } from './workspaces-page.ts'

const DAY_MS = 86_400_000
const filters = (page: Page) => page.getByRole('search', { name: 'Filters' })
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
const found = (page: Page) => page.getByText(/^[\d,]+ workspaces?( found)?$/)

function inDays(days: number) {
  return `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T00:00:00`
}

function quota(balance: number, limit = 1000, renewal = 30) {
  return { balance, limit, renewal_date: inDays(renewal) }
}

/** Counts the clicks of the mouse, wherever they are. */
async function countClicks(page: Page) {
  await page.evaluate(() => {
    const counted = window as typeof window & { clicks: number }
    counted.clicks = 0
    window.addEventListener('pointerdown', () => (counted.clicks += 1), { capture: true })
  })
  return () => page.evaluate(() => (window as typeof window & { clicks: number }).clicks)
}

async function addFilter(page: Page, ...choices: string[]) {
  await button(page, 'Add filter').click()
  for (const choice of choices) await filters(page).getByRole('button', { name: choice, exact: true }).click()
}

test.describe('at most three clicks from any page', () => {
  for (const start of ['/users', '/activity', '/dashboards/create']) {
    test(`which trials end this month, from ${start}`, async ({ page, make }) => {
      const name = unique('Trial')
      const today = `${new Date().toISOString().slice(0, 10)}T00:00:00`
      await make.workspace({ name: `${name} now`, status: 'TRIAL', trial_end_date: today })
      await make.workspace({ name: `${name} later`, status: 'TRIAL', trial_end_date: inDays(40) })
      await page.goto(start)
      await expect(heading(page)).toBeVisible()
      const clicks = await countClicks(page)
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workspaces' }).click()
      await expect(heading(page)).toHaveText('Workspaces')
      await button(page, 'Views').click()
      await page.getByRole('link', { name: 'Trials that end this month' }).click()
      await expect(row(page, `${name} now`)).toBeVisible()
      await expect(row(page, `${name} later`)).toHaveCount(0)
      await expect(page.getByRole('columnheader', { name: 'Trial end' })).toBeVisible()
      await expect(chips(page)).toHaveText([/^Trial: ends from .* until .*$/])
      expect(await clicks()).toBe(3)
    })
  }

  test('who has used up the AI quota', async ({ page, make }) => {
    const name = unique('Quota')
    await make.workspace({ name: `${name} empty`, ai_quota: quota(0) })
    await make.workspace({ name: `${name} left`, ai_quota: quota(1) })
    await make.workspace({ name: `${name} none`, ai_quota: quota(0, 0) })
    await page.goto('/website_config')
    await expect(heading(page)).toBeVisible()
    const clicks = await countClicks(page)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workspaces' }).click()
    await expect(heading(page)).toHaveText('Workspaces')
    await button(page, 'Views').click()
    await page.getByRole('link', { name: 'AI quota used up', exact: true }).click()
    await expect(row(page, `${name} empty`)).toContainText('0 of 1,000')
    await expect(row(page, `${name} left`)).toHaveCount(0)
    await expect(row(page, `${name} none`)).toHaveCount(0)
    await expect(chips(page)).toHaveText(['Status: All but deactivated', 'AI quota: used up'])
    expect(await clicks()).toBe(3)
  })
})

test('filters are chips that read as sentences, in the address: reload and Back keep them', async ({ page, make }) => {
  const name = unique('Chips')
  await make.workspace({ name: `${name} a`, status: 'TRIAL', trial_end_date: inDays(5) })
  await make.workspace({ name: `${name} b`, status: 'TRIAL', trial_end_date: inDays(-1) })
  await make.workspace({ name: `${name} c`, status: 'INTERNAL', analytical_quota: quota(90) })
  await page.goto(`/workspaces?search=${name}`)
  await expect(found(page)).toHaveText('3 workspaces found')

  await addFilter(page, 'Status')
  await filters(page).getByRole('checkbox', { name: 'TRIAL', exact: true }).check()
  await expect(found(page)).toHaveText('2 workspaces found')
  await filters(page).getByRole('checkbox', { name: 'INTERNAL', exact: true }).check()
  await expect(found(page)).toHaveText('3 workspaces found')
  await page.keyboard.press('Escape')
  await expect(chips(page)).toHaveText(['Status: TRIAL, INTERNAL'])

  await addFilter(page, 'Trial', 'Ends within 7 days')
  await expect(chips(page)).toHaveText(['Status: TRIAL, INTERNAL', 'Trial: ends within 7 days'])
  await expect(rows(page)).toHaveCount(1)
  await expectAccessible(page)
  await page.reload()
  await expect(chips(page)).toHaveText(['Status: TRIAL, INTERNAL', 'Trial: ends within 7 days'])
  await expect(row(page, `${name} a`)).toBeVisible()

  // A chip opens its field again. Days replace the choice.
  await filters(page).getByRole('button', { name: 'Trial: ends within 7 days', exact: true }).click()
  await filters(page).getByLabel('Trial ends until').fill(inDays(-1).slice(0, 10))
  await expect(chips(page).nth(1)).toHaveText(/^Trial: ends until /)
  await expect(row(page, `${name} b`)).toContainText('TRIAL')
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('Escape')

  await button(page, 'Clear').click()
  await expect(page).toHaveURL(`/workspaces?search=${name}`)
  await page.goBack()
  await expect(rows(page)).toHaveCount(1)
})

test('the field of a filter stays where it opened, while its chip grows', async ({ page }) => {
  await page.setViewportSize({ width: 1100, height: 800 })
  await page.goto('/workspaces')
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

test('a first day after the last one is pointed out', async ({ page }) => {
  await page.goto('/workspaces')
  await addFilter(page, 'Trial')
  await filters(page).getByLabel('Trial ends from').fill('2031-02-01')
  await filters(page).getByLabel('Trial ends until').fill('2031-01-01')
  const hint = filters(page).getByText('The first day is after the last one.')
  await expect(hint).toBeVisible()
  await filters(page).getByLabel('Trial ends until').fill('2031-02-01')
  await expect(hint).toHaveCount(0)
})

test('quotas by a number, overdue renewals, and workspaces without an admin', async ({ page, make }) => {
  const name = unique('Left')
  const low = await make.workspace({ name: `${name} low`, analytical_quota: quota(90) })
  await make.workspace({ name: `${name} late`, ai_quota: quota(500, 1000, -2) })
  await make.user(low.id, { is_admin: true })
  await page.goto(`/workspaces?search=${name}`)
  await addFilter(page, 'Analytical quota')
  await filters(page).getByRole('textbox', { name: 'Analytical quota left, less than (%)' }).fill('9')
  await page.keyboard.press('Enter')
  await expect(chips(page)).toHaveText(['Analytical quota: less than 9% left'])
  await expect(page.getByText('No workspaces match.')).toBeVisible()
  await filters(page).getByRole('button', { name: 'Analytical quota: less than 9% left', exact: true }).click()
  await button(page, 'Less than 10% left').click()
  await expect(row(page, `${name} low`)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)

  await addFilter(page, 'Has no admin')
  await expect(chips(page)).toHaveText(['Analytical quota: less than 10% left', 'Admins: none'])
  await expect(page.getByText('No workspaces match.')).toBeVisible()
  await button(page, 'Remove Analytical quota: less than 10% left').click()
  await expect(button(page, 'Add filter')).toBeFocused()
  await addFilter(page, 'Quota renewal overdue')
  await expect(chips(page)).toHaveText(['Quota renewal: overdue', 'Admins: none'])
  await expect(row(page, `${name} late`)).toBeVisible()
})

test('by role and by feature flag', async ({ page, make, api }) => {
  const [role] = await api<string[]>('GET', 'config/all_roles')
  const [flag] = await api<string[]>('GET', 'config/all_featureflags')
  const name = unique('Roles')
  await make.workspace({ name: `${name} a`, roles: [role] })
  await make.workspace({ name: `${name} b`, featureflags: [flag] })
  await page.goto(`/workspaces?search=${name}`)
  for (const [label, value, match] of [
    ['Role', role, 'a'],
    ['Feature flag', flag, 'b'],
  ] as const) {
    await addFilter(page, label)
    await filters(page).getByRole('combobox', { name: label }).fill(String(value))
    await page.keyboard.press('Enter')
    await expect(chips(page)).toHaveText([`${label}: ${value}`])
    await expect(row(page, `${name} ${match}`)).toBeVisible()
    await expect(rows(page)).toHaveCount(1)
    await button(page, 'Clear').click()
  }
})

test('on a phone the filters are in a sheet', async ({ page, make }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const name = unique('Sheet')
  await make.workspace({ name: `${name} a`, status: 'TRIAL', trial_end_date: inDays(5) })
  await make.workspace({ name: `${name} b` })
  await page.goto(`/workspaces?search=${name}`)
  await button(page, 'Filters').click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('checkbox', { name: 'TRIAL', exact: true }).check()
  await sheet.getByRole('checkbox', { name: 'Has no admin' }).check()
  await expectAccessible(page)
  await button(page, 'Show workspaces').click()
  await expect(button(page, 'Filters (2)')).toBeVisible()
  await expect(chips(page)).toHaveText(['Status: TRIAL', 'Admins: none'])
  await expect(found(page)).toHaveText('1 workspace found')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('a workspace admin has one workspace, and no filters', async ({ page, watchdesk, make }) => {
  const { id, name } = await make.workspace()
  const { email } = await make.user(id, { is_admin: true })
  const response = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  await storeToken(page, watchdesk.url, (await response.json()).access_token)
  await page.goto('/workspaces')
  await expect(row(page, name)).toBeVisible()
  await expect(button(page, 'Columns')).toBeVisible()
  await expect(button(page, 'Add filter')).toHaveCount(0)
})
