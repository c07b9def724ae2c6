import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'
import { heading, PASSWORD, test } from './workspaces-page.ts'

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

test('every number that needs attention is that of the list it leads to, and the numbers over time are those of their lists', async ({
  page,
  make,
  watchdesk,
}) => {
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
