import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'
import { heading, PASSWORD, test } from './workspaces-page.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const inDays = (days: number) => `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T00:00:00`
const quota = (balance: number, due = 20) => ({ limit: 100, balance, renewal_date: inDays(due) })
const FULL = { analytical_quota: quota(100), ai_quota: quota(100) }

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const numberIn = async (link: Locator) => Number(/^[\d,]*/.exec(await link.innerText())?.[0].replaceAll(',', ''))

test('what needs attention is shown, which trials end this month takes two clicks, and the list has as many', async ({
  page,
  make,
  watchdesk,
}) => {
  const soon = await make.workspace({ status: 'TRIAL', trial_end_date: inDays(12), ...FULL })
  await make.workspace({ ...FULL, analytical_quota: quota(0), ai_quota: quota(5, -3) })
  const user = await make.user(1)
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const data = { email: user.email, password: `${PASSWORD}?` }
    await page.request.post(`${watchdesk.url}/api/v1/login`, { data })
  }
  await page.goto('/website_config')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview', exact: true }).click()
  for (const name of ['Analytical quotas', 'Quota renewals', 'Admins']) await expect(card(page, name)).toBeVisible()
  await expect(card(page, 'Accounts')).toContainText(user.email)
  await expect(card(page, 'AI quotas')).toContainText('5% left')
  const users = card(page, 'Users').getByRole('link')
  const total = await numberIn(users)
  await users.click()
  await expect(heading(page)).toHaveText('Users')
  await expect(page.getByRole('main')).toContainText(`${total.toLocaleString('en')} user`)
  await page.goBack()

  const link = card(page, 'Trials').getByRole('link', { name: /within 30 days/ })
  const count = await numberIn(link)
  await link.click()
  await expect(page).toHaveURL(/\/workspaces\?trial=within_30&columns=[^&]*trial_end_date/)
  await expect(page.getByText(`${count} workspace${count === 1 ? '' : 's'} found`)).toBeVisible()
  await expect(page.getByRole('main')).toContainText(soon.name)
})
