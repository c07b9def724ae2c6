import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { PASSWORD, seed, unique } from './seed.ts'
import { expect, signIn, storeToken, test } from './test.ts'
import { added, chip, download, line, preview, text } from './users-import-page.ts'
import { button, heading, select } from './users-page.ts'

const result = (page: Page) => page.getByRole('grid', { name: 'Result' })

/** Lines with people who exist nowhere else. */
function people(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const name = unique('team')
    return { email: `${name}@example.com`, line: `Person${index} Last${index} <${name}@example.com>` }
  })
}

async function count(page: Page, token: string, workspace_id: number) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await page.request.get(`/api/v1/users/?workspace_ids=${workspace_id}`, { headers })
  return (await response.json()).total
}

test('30 pasted people are added from the users list, and sign in with the passwords of the file', async ({
  page,
  watchdesk,
}) => {
  const { workspace, token } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Team'))
  const team = people(30)
  await page.goto('/users')
  await page.getByRole('link', { name: 'Add many users' }).click()
  await expect(heading(page)).toHaveText('Add many users')
  await text(page).fill(team.map((person) => person.line).join('\n'))
  await select(page, 'Workspace').fill(name)
  await page.getByRole('option', { name }).click()
  await page.getByRole('switch', { name: 'Workspace admin' }).check()
  await expect(line(page, team[0]?.email ?? '')).toContainText('Person0')
  await expectAccessible(page)
  await button(page, 'Add 30 users').click()
  await added(page, '30 users added')
  await expectAccessible(page)

  const csv = (await download(page, 'CSV')).toString('utf8')
  const lines = csv.split('\r\n').slice(0, -1)
  expect(lines[0]).toBe('\ufeffemail,name,password,outcome,reason')
  expect(lines).toHaveLength(31)
  const [email = '', , password = ''] = (lines[7] ?? '').split(',')
  expect(email).toBe(team[6]?.email)
  expect(password).toHaveLength(17)
  const login = await page.request.post('/api/v1/login', { data: { email, password } })
  expect(login.status()).toBe(200)
  expect((await download(page, 'XLSX')).subarray(0, 2).toString()).toBe('PK')

  // No password is left anywhere but on the page.
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href)
  expect(stored).not.toContain(password)
  await page.getByRole('link', { name: 'See the import' }).click()
  await expect(heading(page)).toHaveText('Users import')
  await expect(page.getByRole('main')).toContainText('Added 30 users')
  await expect(button(page, 'Undo import')).toBeVisible()
  expect(await count(page, token, id)).toBe(30)
})

test('every row says what is wrong with it, and the rest is added; then the others are corrected', async ({
  page,
  watchdesk,
}) => {
  const { workspace, user, token } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Errors'))
  const { email: known, last_name } = await user(id)
  const [first, guessed] = [unique('first'), unique('last')]
  await page.goto(`/users/import?workspace_id=${id}`)
  await button(page, 'Add users').click()
  await expect(text(page)).toHaveAccessibleDescription(/Enter at least one email\./)
  await text(page).fill(
    [
      `Ada Winter <${first}@example.com>`,
      `olena.${guessed}@example.com`,
      `"Reed, Marcus" <${first.toUpperCase()}@example.com>`,
      `Known Person <${known}>`,
      'No Email <nobody>',
      `${unique('mononym')}@example.com`,
    ].join('\n'),
  )
  await expect(line(page, 'olena.')).toContainText('The name is taken from the email.')
  await expect(line(page, 'Reed')).toContainText('Row 1 has the same email.')
  await expect(line(page, known)).toContainText(`Iryna ${last_name} in ${name} has this email.`)
  await expect(line(page, 'nobody')).toContainText('Email must be a valid email address.')
  await expect(line(page, 'mononym')).toContainText('First name is required!')
  await expect(page.getByRole('status').filter({ hasText: '2 of 6 can be added' })).toBeVisible()
  await chip(page, 'invalid email 1').click()
  await expect(preview(page).getByRole('row')).toHaveCount(2)
  await button(page, 'Add 2 users').click()
  await added(page, '2 of 6 users added')
  await expect(result(page).getByRole('row').filter({ hasText: 'nobody' })).toContainText('invalid email')
  await download(page, 'CSV')

  await button(page, 'Correct 4 rows').click()
  await expect(text(page)).toHaveValue(/nobody/)
  await expect(text(page)).not.toHaveValue(/Ada Winter/)
  const corrected = unique('corrected')
  await text(page).fill((await text(page).inputValue()).replace('nobody', `${corrected}@example.com`))
  await button(page, 'Add 1 user').click()
  await added(page, '1 of 4 users added')
  expect(await count(page, token, id)).toBe(4)
})

test('a workspace admin adds people to the own workspace, by keyboard and on a phone', async ({ page, watchdesk }) => {
  const { workspace, user, token } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Own'))
  const { email } = await user(id, { is_admin: true })
  await signIn(page, { ...watchdesk, email, password: PASSWORD })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/users/create')
  await expect(select(page, 'Workspace')).toHaveValue(name)
  await page.getByRole('link', { name: 'Add many users' }).press('Enter')
  await expect(heading(page)).toHaveText('Add many users')
  await expect(select(page, 'Workspace')).toHaveValue(name)
  await expect(select(page, 'Workspace')).toBeDisabled()
  await expect(text(page)).toHaveAccessibleDescription(
    /Some emails may turn out to be in use only when they are added\./,
  )
  await text(page).focus()
  const [person] = people(1)
  await page.keyboard.insertText(person?.line ?? '')
  await expect(line(page, person?.email ?? '')).toContainText('ready')
  await expectAccessible(page)
  await button(page, 'Add 1 user').focus()
  await page.keyboard.press('Enter')
  await added(page, '1 user added')
  await expect(page.getByRole('link', { name: 'See the import' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to Users' }).click()
  await button(page, 'Stay').click()
  await download(page, 'CSV')
  await page.getByRole('link', { name: 'Go to Users' }).click()
  await expect(page.getByText(person?.email ?? '')).toBeVisible()
  await storeToken(page, watchdesk.url, token)
  expect(await count(page, token, id)).toBe(2)
})
