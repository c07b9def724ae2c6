import { expectAccessible } from './accessible.ts'
import { expect } from './test.ts'
import { added, download, line, text } from './users-import-page.ts'
import { button, heading, select } from './users-page.ts'
import { test, unique } from './workspaces-page.ts'

/** Lines with people who exist nowhere else. */
function people(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const name = unique('team')
    return { email: `${name}@example.com`, line: `Person${index} Last${index} <${name}@example.com>` }
  })
}

test('pasted people are added from the users list, and sign in with the passwords of the file', async ({
  page,
  api,
  make,
}) => {
  const { id, name } = await make.workspace()
  const team = people(2)
  await page.goto('/users')
  await page.getByRole('link', { name: 'Add many users' }).click()
  await expect(heading(page)).toHaveText('Add many users')
  await text(page).fill(team.map((person) => person.line).join('\n'))
  await select(page, 'Workspace').fill(name)
  await page.getByRole('option', { name }).click()
  await page.getByRole('switch', { name: 'Workspace admin' }).check()
  await expect(line(page, team[0]?.email ?? '')).toContainText('Person0')
  await button(page, 'Add 2 users').click()
  await added(page, '2 users added')
  await expectAccessible(page)

  const csv = (await download(page, 'CSV')).toString('utf8')
  const lines = csv.split('\r\n').slice(0, -1)
  expect(lines[0]).toBe('\ufeffemail,name,password,outcome,reason')
  expect(lines).toHaveLength(3)
  const [email = '', , password = ''] = (lines[2] ?? '').split(',')
  expect(email).toBe(team[1]?.email)
  expect(password).toHaveLength(17)
  const login = await page.request.post('/api/v1/login', { data: { email, password } })
  expect(login.status()).toBe(200)
  expect((await download(page, 'XLSX')).subarray(0, 2).toString()).toBe('PK')

  // No password is left anywhere but on the page.
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href)
  expect(stored).not.toContain(password)
  await page.getByRole('link', { name: 'See the import' }).click()
  await expect(heading(page)).toHaveText('Users import')
  await expect(page.getByRole('main')).toContainText('Added 2 users')
  await expect(button(page, 'Undo import')).toBeVisible()
  expect(await api('GET', `users/?workspace_ids=${id}`)).toMatchObject({ total: 2 })
})
