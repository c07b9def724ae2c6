import { hold } from './hold.ts'
import { seed, unique } from './seed.ts'
import { BROKEN, REFUSED } from './session-page.ts'
import { expect, storeToken, test } from './test.ts'
import { button, dialog, heading, row, rows, search, toast } from './users-page.ts'

const LIST = 'GET /api/v1/users/'
const WORKSPACES = 'GET /api/v1/workspaces/'

test('shows every column, the badges, links to workspace and form, and Auto for no language', async ({
  page,
  watchdesk,
}) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Civic'))
  const plain = await user(id, { type: 'MODERATOR' })
  const both = await user(id, { is_admin: true, is_super_admin: true, language: 'UK' })
  await page.goto(`/users?workspace_id=${id}`)

  await expect(heading(page)).toHaveText('Users')
  const headings = ['ID', 'Workspace', 'Full Name', 'Email', 'Roles', 'Type', 'Language', 'Actions']
  await expect(page.getByRole('columnheader')).toHaveText(headings)
  await expect(row(page, plain.email).getByRole('cell')).toHaveText([
    ...[String(plain.id), name, `Iryna ${plain.last_name}`, plain.email, '', 'MODERATOR', 'Auto', ''],
  ])
  await expect(row(page, both.email).getByRole('cell')).toHaveText([
    ...[String(both.id), name, `Iryna ${both.last_name}`, both.email],
    ...['Super adminWorkspace admin', 'STANDARD', 'Ukrainian', ''],
  ])
  await expect(row(page, plain.email).getByRole('link', { name })).toHaveAttribute('href', `/workspaces/${id}`)
  const edit = row(page, plain.email).getByRole('link', { name: `Edit Iryna ${plain.last_name}` })
  await expect(edit).toHaveAttribute('href', `/users/${plain.id}/edit`)
  await page.getByRole('link', { name: 'Create user' }).click()
  await expect(page).toHaveURL(`/users/create?workspace_id=${id}`)
})

test('says how many users there are in how many workspaces, and of a filtered list how many were found', async ({
  page,
  watchdesk,
}) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Civic'))
  const { last_name } = await user(id)
  await user(id)
  await page.goto('/users')
  await expect(page.getByText(/^[\d,]+ users in [\d,]+ workspaces$/)).toBeVisible()
  await page.getByRole('combobox', { name: 'Workspace' }).fill(name)
  await page.getByRole('option', { name }).click()
  await expect(page.getByText('2 users found', { exact: true })).toBeVisible()
  // The number of the search before is not shown as if it was found by this one.
  const release = await hold(page, `**/api/v1/users/?*search=${last_name}*`)
  await search(page).fill(last_name)
  await expect(page.getByText(/users? found/)).toHaveCount(0)
  release()
  await expect(page.getByText('1 user found', { exact: true })).toBeVisible()
  await expect(page.getByText(/users? in /)).toHaveCount(0)
})

test('at 1440 px a usual name, both badges, a long email and a name of twice 30 characters are shown in full', async ({
  page,
  watchdesk,
}) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Civic'))
  const email = `${unique('kateryna')}@northwind-media.test`
  const person = { first_name: 'Kateryna', last_name: 'Tkachenko', email, is_admin: true, is_super_admin: true }
  await user(id, { ...person, type: 'UNDERPRIVILEGED', language: 'UK' })
  await page.goto(`/users?workspace_id=${id}`)
  await expect(row(page, email)).toBeVisible()
  const cut = await row(page, email)
    .getByRole('cell')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent))
  expect(cut.filter((text) => text !== null && !text.startsWith('Civic'))).toEqual([])
  expect((await row(page, email).boundingBox())?.height).toBeLessThan(46)

  const long = `${unique('volodymyra')}.oleksandrivna-kovalenko@regional.newsroom-network.test`
  await user(id, { email: long })
  await page.reload()
  const cell = row(page, long).getByRole('cell').nth(3)
  await expect(cell).toHaveText(long)
  expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
  expect(await cell.evaluate((element: HTMLElement) => element.innerText)).toBe(long)
  expect((await row(page, long).boundingBox())?.height).toBeLessThan(46)

  const named = await user(id, { first_name: 'Oleksandra'.repeat(3), last_name: 'Shevchenko'.repeat(3) })
  await page.reload()
  const name = row(page, named.email).getByRole('cell').nth(2)
  await expect(name).toHaveText(`${named.first_name} ${named.last_name}`)
  const isCut = await name.evaluate(
    (element) => element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
  )
  expect(isCut).toBe(false)
})

test('page, search, sort and filter are in the address; reload and back keep them', async ({ page, watchdesk }) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Harbor'))
  const word = unique('many')
  for (let index = 10; index < 35; index += 1) await user(id, { last_name: `${word} ${index}` })

  await page.goto('/users')
  await page.getByRole('combobox', { name: 'Workspace' }).fill(name)
  await page.getByRole('option', { name }).click()
  await expect(page).toHaveURL(`/users?workspace_id=${id}`)
  await expect(page.getByText('1–20 of 25')).toBeVisible()
  await expect(rows(page)).toHaveCount(20)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages.getByRole('link')).toHaveText(['1', '2', ''])
  await pages.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByText('21–25 of 25')).toBeVisible()
  await expect(pages.locator('[aria-current=page]')).toHaveText('2')
  await expect(page).toHaveURL(/page=2/)
  await page.reload()
  await expect(page.getByText('21–25 of 25')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('1–20 of 25')).toBeVisible()

  await button(page, 'Full Name').click()
  await expect(page.getByRole('columnheader', { name: 'Full Name' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows(page).first()).toContainText(`${word} 10`)
  await button(page, 'Full Name').click()
  await expect(page.getByRole('columnheader', { name: 'Full Name' })).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(page).first()).toContainText(`${word} 34`)

  await search(page).fill(`${word.toUpperCase()} 2`)
  await expect(page.getByText('1–10 of 10')).toBeVisible()
  await page.reload()
  await expect(search(page)).toHaveValue(`${word.toUpperCase()} 2`)
  await expect(rows(page)).toHaveCount(10)

  await search(page).fill('nobody is called so')
  await expect(page.getByText('No users match.')).toBeVisible()
  await button(page, 'Show all users').click()
  await expect(page).toHaveURL(/^((?!workspace_id).)*$/)
  await expect(rows(page).first()).toBeVisible()
})

test('deletes after the prompt, and Undo brings the user back', async ({ page, watchdesk }) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Delta'))
  const person = await user(id)
  await page.goto(`/users?workspace_id=${id}`)
  const remove = button(page, `Delete Iryna ${person.last_name}`)
  await remove.dblclick()
  await expect(dialog(page)).toHaveAccessibleName('Are you sure you want to delete this user?')
  await expect(dialog(page)).toContainText(`Iryna ${person.last_name} (${person.email}) loses access immediately.`)
  await expect(dialog(page)).toContainText('You can undo this for 30 days, in the Bin.')
  await button(page, 'Cancel').click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(remove).toBeFocused()

  await remove.click()
  const call = page.waitForRequest((request) => request.method() === 'DELETE')
  const release = await hold(page, `**/api/v1/users/${person.id}`)
  const cell = row(page, person.email).getByRole('cell').first()
  await expect(cell).toHaveCSS('opacity', '1')
  await button(page, 'Delete').click()
  expect((await call).headers()['if-match']).toBe(`"${person.version}"`)
  await expect(cell).toHaveCSS('opacity', '0.6')
  release()
  await expect(toast(page)).toContainText('User removed successfully!')
  await expect(row(page, person.email)).toHaveCount(0)
  await expect(heading(page)).toBeFocused()
  await button(page, 'Undo').click()
  await expect(toast(page).filter({ hasText: 'restored' })).toHaveText(`User Iryna ${person.last_name} restored.`)
  await expect(row(page, person.email)).toBeVisible()
})

test('a delete that the server rejects shows the reason, and changes nothing', async ({ page, watchdesk, faults }) => {
  faults.allow(REFUSED)
  await seed(page, watchdesk)
  await page.goto('/users?search=admin@watchdesk')
  await button(page, 'Delete Super Admin').click()
  await button(page, 'Delete').click()
  await expect(toast(page)).toContainText('You cannot delete your own account. Ask another admin to do it.')
  await expect(row(page, 'admin@watchdesk.local')).toBeVisible()
})

const person = { id: 7, first_name: 'Olena', last_name: 'K', email: 'o@example.com', type: 'STANDARD', language: null }
const someone = { ...person, workspace_id: 3, workspace: { name: 'Civic' }, is_admin: true, is_super_admin: true }

test("another backend's failed delete shows its messages, or that something went wrong", async ({
  page,
  otherBackend,
  faults,
}) => {
  faults.allow(REFUSED)
  faults.allow(BROKEN)
  otherBackend.responses['GET /api/v1/users/me'] = { status: 200, body: someone }
  otherBackend.responses[LIST] = { status: 200, body: { objects: [someone], total: 1, size: 20 } }
  otherBackend.responses[WORKSPACES] = { status: 200, body: { objects: [], total: 1, size: 20 } }
  await storeToken(page, otherBackend.url, 'any')
  await page.goto(`${otherBackend.url}/users`)
  await expect(row(page, 'o@example.com').getByRole('cell').nth(6)).toHaveText('Auto')
  for (const [body, shown] of [
    [{ detail: [{ msg: 'First.' }, { msg: 'Second.' }] }, 'First.\nSecond.'],
    ['no JSON at all', 'Something went wrong'],
  ] as const) {
    otherBackend.responses['DELETE /api/v1/users/7'] = { status: 500, body }
    await button(page, 'Delete Olena K').click()
    await button(page, 'Delete').click()
    await expect.poll(() => toast(page).last().innerText()).toBe(shown)
  }
})

test('shows skeleton rows while the list loads, and an error with Try again when it fails, also without a detail', async ({
  page,
  otherBackend,
  faults,
}) => {
  faults.allow(BROKEN)
  faults.allow(REFUSED)
  let respond = () => {}
  const after = new Promise<void>((resolve) => {
    respond = resolve
  })
  otherBackend.responses['GET /api/v1/users/me'] = { status: 200, body: someone }
  otherBackend.responses[WORKSPACES] = { status: 200, body: { objects: [], total: 1, size: 20 } }
  otherBackend.responses[LIST] = { status: 503, body: { detail: 'The database is away.' }, after }
  await storeToken(page, otherBackend.url, 'any')
  await page.goto(`${otherBackend.url}/users`)
  await expect(rows(page)).toHaveCount(20)
  respond()
  await expect(page.getByRole('alert')).toContainText('The database is away.', { timeout: 20_000 })
  otherBackend.responses[LIST] = { status: 400, body: 'no JSON at all' }
  await button(page, 'Try again').click()
  await expect(page.getByRole('alert')).toContainText('Something went wrong')
  otherBackend.responses[LIST] = { status: 200, body: { objects: [someone], total: 1, size: 20 } }
  await button(page, 'Try again').click()
  await expect(row(page, 'Olena K')).toBeVisible()
})
