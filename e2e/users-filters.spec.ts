import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, storeToken } from './test.ts'
import { button, PASSWORD, row, rows, select, test, unique } from './workspaces-page.ts'

const filters = (page: Page) => page.getByRole('search', { name: 'Filters' })
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
const found = (page: Page) => page.getByText(/^[\d,]+ users? found$/)

async function choose(page: Page, label: string, option: string) {
  await button(page, 'Add filter').click()
  await filters(page).getByRole('button', { name: label, exact: true }).click()
  await filters(page).getByRole('option', { name: option, exact: true }).click()
}

test('by role, type and language', async ({ page, make }) => {
  const { id } = await make.workspace()
  const admin = await make.user(id, { is_admin: true, type: 'MODERATOR' })
  const plain = await make.user(id, { language: 'UK' })
  await page.goto(`/users?workspace_id=${id}`)
  await choose(page, 'Role', 'Workspace admin')
  await expect(row(page, admin.email)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await choose(page, 'Type', 'STANDARD')
  await expect(chips(page)).toHaveText(['Role: Workspace admin', 'Type: STANDARD'])
  await expect(page.getByText('No users match.')).toBeVisible()
  await button(page, 'Remove Role: Workspace admin').click()
  await choose(page, 'Language', 'UK')
  await expect(row(page, plain.email)).toBeVisible()
  await expectAccessible(page)
  await button(page, 'Clear').click()
  await expect(page).toHaveURL(`/users?workspace_id=${id}`)
  await expect(found(page)).toHaveText('2 users found')
})

test('several workspaces are found by name; the workspace select replaces them', async ({ page, make }) => {
  const word = unique('Several')
  const [a, b, c] = [
    await make.workspace({ name: `${word} a` }),
    await make.workspace({ name: `${word} b` }),
    await make.workspace({ name: `${word} c` }),
  ]
  for (const { id } of [a, b, c]) await make.user(id)
  await page.goto('/users')
  await button(page, 'Add filter').click()
  await filters(page).getByRole('button', { name: 'Workspaces', exact: true }).click()
  await expect(filters(page).getByRole('textbox', { name: 'Workspaces' })).toBeFocused()
  await filters(page).getByRole('textbox', { name: 'Workspaces' }).fill(`${word} a`)
  await filters(page).getByRole('checkbox', { name: a.name }).check()
  await filters(page).getByRole('textbox', { name: 'Workspaces' }).fill(`${word} b`)
  await filters(page).getByRole('checkbox', { name: b.name }).check()
  await expect(chips(page)).toHaveText([`Workspaces: ${a.name}, ${b.name}`])
  await expect(found(page)).toHaveText('2 users found')
  await page.keyboard.press('Escape')
  await expect(select(page, 'Workspace')).toHaveAttribute('placeholder', '2 workspaces')
  await page.reload()
  await expect(found(page)).toHaveText('2 users found')

  await select(page, 'Workspace').fill(c.name)
  await page.getByRole('option', { name: c.name }).click()
  await expect(page).toHaveURL(`/users?workspace_id=${c.id}`)
  await expect(chips(page)).toHaveCount(0)
  await expect(found(page)).toHaveText('1 user found')
})

test('by the last sign-in, which has a column of its own', async ({ page, make }) => {
  const { id } = await make.workspace()
  const seen = await make.user(id, { is_admin: true })
  const never = await make.user(id)
  await page.request.post('/api/v1/login', { data: { email: seen.email, password: PASSWORD } })
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
  await expect(rows(page)).toHaveCount(1)
  await filters(page).getByLabel('Signed in until').fill('2026-01-01')
  await expect(filters(page).getByText('The first day is after the last one.')).toBeVisible()
})

test('locked accounts', async ({ page, make }) => {
  const { id } = await make.workspace()
  const locked = await make.user(id, { is_admin: true })
  await make.user(id)
  for (let count = 0; count < 12; count += 1)
    await page.request.post('/api/v1/login', { data: { email: locked.email, password: `wrong ${count}` } })
  await page.goto(`/users?workspace_id=${id}`)
  await button(page, 'Add filter').click()
  await filters(page).getByRole('button', { name: 'Locked', exact: true }).click()
  await expect(chips(page)).toHaveText(['Locked: yes'])
  await expect(row(page, locked.email)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
})

test('a workspace admin filters the users of the own workspace', async ({ page, watchdesk, make }) => {
  const { id } = await make.workspace()
  const { email } = await make.user(id, { is_admin: true })
  await make.user(id)
  const response = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  await storeToken(page, watchdesk.url, (await response.json()).access_token)
  await page.goto('/users')
  await expect(rows(page)).toHaveCount(2)
  await choose(page, 'Role', 'Workspace admin')
  await expect(row(page, email)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await button(page, 'Add filter').click()
  await expect(filters(page).getByRole('button', { name: 'Type', exact: true })).toBeVisible()
  await expect(filters(page).getByRole('button', { name: 'Workspaces', exact: true })).toHaveCount(0)
})
