import type { Page } from '@playwright/test'
import { expect } from './test.ts'
import { button, PASSWORD, row, rows, test } from './workspaces-page.ts'

const filters = (page: Page) => page.getByRole('search', { name: 'Filters' })
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')

test('by the last sign-in, which has a column of its own, and locked accounts', async ({ page, make }) => {
  const { id } = await make.workspace()
  const seen = await make.user(id, { is_admin: true })
  const never = await make.user(id)
  const locked = await make.user(id, { is_admin: true })
  const signIn = (email: string, password: string) => page.request.post('/api/v1/login', { data: { email, password } })
  for (const { email } of [seen, locked]) await signIn(email, PASSWORD)
  for (let count = 0; count < 12; count += 1) await signIn(locked.email, `wrong ${count}`)
  await page.goto(`/users?workspace_id=${id}&columns=email,last_sign_in_at`)
  await expect(row(page, seen.email)).toContainText('just now')
  await expect(row(page, never.email)).toContainText('Never')
  await button(page, 'Add filter').click()
  await filters(page).getByRole('button', { name: 'Last sign-in', exact: true }).click()
  await button(page, 'Never signed in').click()
  await expect(chips(page)).toHaveText(['Last sign-in: never'])
  await expect(row(page, never.email)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await filters(page).getByRole('button', { name: 'Last sign-in: never', exact: true }).click()
  await filters(page).getByLabel('Signed in from').fill(new Date().toISOString().slice(0, 10))
  await expect(row(page, seen.email)).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await filters(page).getByLabel('Signed in until').fill('2026-01-01')
  await expect(filters(page).getByText('The first day is after the last one.')).toBeVisible()

  await page.goto(`/users?workspace_id=${id}`)
  await button(page, 'Add filter').click()
  await filters(page).getByRole('button', { name: 'Locked', exact: true }).click()
  await expect(chips(page)).toHaveText(['Locked: yes'])
  await expect(row(page, locked.email)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
})
