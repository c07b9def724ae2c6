import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, signIn } from './test.ts'
import { button, heading, PASSWORD, test } from './workspaces-page.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const inDays = (days: number) => `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T00:00:00`
const quota = (balance: number, due = 20) => ({ limit: 100, balance, renewal_date: inDays(due) })
const FULL = { analytical_quota: quota(100), ai_quota: quota(100) }

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const numberIn = async (link: Locator) => Number(/^[\d,]*/.exec(await link.innerText())?.[0].replaceAll(',', ''))

async function open(page: Page) {
  await page.goto('/overview')
  await expect(page.getByRole('heading', { name: 'Over time' })).toBeVisible()
}

test('which trials end this month takes two clicks from anywhere, and the list has as many', async ({ page, make }) => {
  const soon = await make.workspace({ status: 'TRIAL', trial_end_date: inDays(12), ...FULL })
  await make.workspace({ status: 'TRIAL', trial_end_date: inDays(45), ...FULL })
  await page.goto('/website_config')
  await menu(page).getByRole('link', { name: 'Overview', exact: true }).click()
  const link = card(page, 'Trials').getByRole('link', { name: /within 30 days/ })
  const count = await numberIn(link)
  await link.click()
  await expect(page).toHaveURL(/\/workspaces\?trial=within_30&columns=[^&]*trial_end_date/)
  await expect(page.getByText(`${count} workspace${count === 1 ? '' : 's'} found`)).toBeVisible()
  await expect(page.getByRole('main')).toContainText(soon.name)
})

test('every number that needs attention is that of the list it leads to', async ({ page, make, watchdesk }) => {
  await make.workspace({ status: 'TRIAL', trial_end_date: inDays(-2), ...FULL, analytical_quota: quota(0) })
  await make.workspace({ ...FULL, ai_quota: quota(5, -3) })
  const user = await make.user(1)
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const data = { email: user.email, password: `${PASSWORD}?` }
    await page.request.post(`${watchdesk.url}/api/v1/login`, { data })
  }
  await open(page)
  for (const name of ['Trials', 'Analytical quotas', 'AI quotas', 'Quota renewals', 'Admins', 'Accounts'])
    await expect(card(page, name)).toBeVisible()
  await expect(card(page, 'Accounts')).toContainText(user.email)
  await expect(card(page, 'AI quotas')).toContainText('5% left')
  const links = card(page, 'Needs attention')
    .getByRole('link')
    .filter({ has: page.locator('strong') })
  const shown = await Promise.all(
    (await links.all()).map(async (link) => ({ count: await numberIn(link), href: await link.getAttribute('href') })),
  )
  expect(shown.length).toBeGreaterThanOrEqual(10)
  for (const { count, href } of shown) {
    await page.goto(href ?? '')
    await expect(page.getByText(new RegExp(`^${count} (workspace|user|import|run)s? found`)), href ?? '').toBeVisible()
  }
})

test('the numbers over time are those of their lists', async ({ page }) => {
  await open(page)
  for (const [name, words] of [
    ['Users', 'users?'],
    ['Sources', 'sources?'],
    ['Imports', 'imports?'],
  ] as const) {
    const link = card(page, name).getByRole('link')
    const count = await numberIn(link)
    await link.click()
    await expect(heading(page)).toHaveText(name)
    await expect(page.getByRole('main')).toContainText(
      new RegExp(`${count ? count.toLocaleString('en') : 'No'} ${words}`),
    )
    await page.goBack()
    await expect(heading(page)).toHaveText('Overview')
  }
})

test('a chart is read with the arrow keys, and as a table', async ({ page }) => {
  await open(page)
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
  await expectAccessible(page)
  await button(page, 'Show chart of Users').click()
  await expect(users.getByRole('img')).toBeVisible()
})

test('what has been done is gone when the page is returned to', async ({ page, make, api }) => {
  const workspace = await make.workspace({ status: 'TRIAL', trial_end_date: inDays(-9), ...FULL })
  await open(page)
  const ended = card(page, 'Trials').getByRole('link', { name: /ended$/ })
  const before = await numberIn(ended)
  await api('DELETE', `workspaces/${workspace.id}`)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(async () => {
    const isGone = (await card(page, 'Trials').count()) === 0
    expect(isGone ? 0 : await numberIn(ended)).toBe(before - 1)
  }).toPass()
})

test('nothing to do is said in a sentence, and a failure offers another attempt', async ({ page, faults }) => {
  faults.allow(/500/)
  await page.route('**/api/v1/overview/', (route) => route.fulfill({ status: 500, json: { detail: 'Broken' } }))
  await page.goto('/overview')
  await expect(button(page, 'Try again')).toBeVisible({ timeout: 20_000 })
  await page.unroute('**/api/v1/overview/')
  await page.route('**/api/v1/overview/', async (route) => {
    const overview = await (await route.fetch()).json()
    const attention = Object.fromEntries(Object.keys(overview.attention).map((name) => [name, 0]))
    await route.fulfill({ json: { ...overview, attention } })
  })
  await button(page, 'Try again').click()
  await expect(page.getByText('Nothing needs you today')).toBeVisible()
  await expect(page.getByText('No trial has ended or ends within 30 days')).toBeVisible()
  await expectAccessible(page)
})

test('a failed run is found by the filters of the runs', async ({ page }) => {
  await page.goto('/narratives_vectorization?status=failed&from=2090-01-01')
  await expect(page.getByRole('search', { name: 'Filters of the runs' })).toContainText('Started from Jan 1, 2090')
  await expect(page.getByText('No runs match.')).toBeVisible()
  await button(page, 'Clear').click()
  await expect(page).toHaveURL('/narratives_vectorization')
  // Other tests may have started some.
  await expect(page.getByText('No runs match.')).toHaveCount(0)
})

test('a workspace admin has neither an entry in the menu nor access', async ({ page, make, watchdesk, faults }) => {
  faults.allow(/403/)
  const { email } = await make.user(1, { is_admin: true })
  await signIn(page, { url: watchdesk.url, email, password: PASSWORD })
  await page.goto('/users')
  await expect(menu(page).getByRole('link', { name: 'Bin' })).toBeVisible()
  await expect(menu(page).getByRole('link', { name: 'Overview' })).toHaveCount(0)
  await page.goto('/overview')
  await expect(heading(page)).toHaveText("You don't have access to this page")
})

test('on a phone it is reached through the menu, and everything fits', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/users')
  await button(page, 'Open menu').click()
  await page.getByRole('dialog').getByRole('link', { name: 'Overview', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Over time' })).toBeVisible()
})
