import type { Locator } from '@playwright/test'
import { expect } from './test.ts'
import { PASSWORD, test } from './workspaces-page.ts'

const numberIn = async (link: Locator) => Number(/^[\d,]*/.exec(await link.innerText())?.[0].replaceAll(',', ''))

test('every number that needs attention is that of the list it leads to', async ({ page, make }) => {
  const quota = { limit: 100, balance: 0, renewal_date: '2026-01-01T00:00:00' }
  const quotas = { analytical_quota: quota, ai_quota: { ...quota, balance: 5 } }
  await make.workspace({ status: 'TRIAL', trial_end_date: '2026-01-01T00:00:00', ...quotas })
  const { email } = await make.user(1)
  for (let attempt = 0; attempt < 10; attempt += 1)
    await page.request.post('/api/v1/login', { data: { email, password: `${PASSWORD}?` } })
  await page.goto('/overview')
  const links = page
    .getByRole('region', { name: 'Needs attention', exact: true })
    .getByRole('link')
    .filter({ has: page.locator('strong') })
  await expect(links.first()).toBeVisible()
  const shown = await Promise.all(
    (await links.all()).map(async (link) => ({ count: await numberIn(link), href: await link.getAttribute('href') })),
  )
  expect(shown.length).toBeGreaterThanOrEqual(10)
  for (const { count, href } of shown) {
    await page.goto(href ?? '')
    await expect(page.getByText(new RegExp(`^${count} (workspace|user|import|run)s? found`)), href ?? '').toBeVisible()
  }
})
