import { readScreens } from '../scripts/screens.mjs'
import { PASSWORD, seed, unique } from './seed.ts'
import { REFUSED, storedToken } from './session-page.ts'
import { expect, shareSession, signIn, test } from './test.ts'
import { button, dialog, field, fillPerson, row, rows, select, toast, toggle } from './users-page.ts'

test('two editors of a user: other fields are merged, the same field is asked about, and a new password is kept', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { workspace, user, patchUser } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Shared'))
  const person = await user(id)
  await page.goto(`/users/${person.id}/edit`)
  await field(page, 'First name').fill('Mine')
  await toggle(page, 'Change password').check()
  await field(page, 'Password').fill('another river stone')
  await patchUser(person.id, { first_name: 'Theirs', language: 'UK' })
  await button(page, 'Save').click()
  await expect(dialog(page)).toHaveAccessibleName('Somebody else changed this user while you were editing')
  await expect(dialog(page)).toContainText('Super Admin changed Language in the meantime. This change is kept.')
  await expect(dialog(page).getByRole('radiogroup')).toHaveText(
    /^First namechanged by Super Admin today at .*MineMineTheirsTheirs$/,
  )
  await dialog(page).getByRole('radio', { name: 'Theirs' }).check()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL('/users')
  await expect(toast(page)).toContainText(`User Theirs ${person.last_name} saved.`)
  await page.goto(`/users?search=${person.email}`)
  await expect(row(page, `Theirs ${person.last_name}`)).toContainText('Ukrainian')
  const credentials = { email: person.email, password: 'another river stone' }
  const login = await page.request.post(`${watchdesk.url}/api/v1/login`, { data: credentials })
  // The password is right, but this user may not use the console.
  expect(login.status()).toBe(403)
})

test('after an expired session, signing in again in place keeps the form and its values', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { workspace, token } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Lost'))
  await page.goto(`/users/create?workspace_id=${id}`)
  const email = `${unique('kept')}@example.com`
  await fillPerson(page, { first: 'Daryna', last: 'Kept', email })
  await field(page, 'Password').fill(PASSWORD)
  await watchdesk.session.end()
  await button(page, 'Create').click()

  await expect(dialog(page)).toHaveAccessibleName('Sign in again')
  await expect(dialog(page).getByLabel('Email')).toHaveValue(watchdesk.email)
  const password = dialog(page).getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  const logins: string[] = []
  page.on('request', (request) => request.url().endsWith('/login') && logins.push(request.method()))
  await password.press('Enter')
  await expect(password).toHaveAccessibleDescription('Password is required!')
  expect(logins).toEqual([])
  await password.fill('wrong')
  await password.evaluate((input: HTMLInputElement) => {
    input.form?.requestSubmit()
    input.form?.requestSubmit()
  })
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  expect(logins).toEqual(['POST'])
  await password.fill(watchdesk.password)
  await password.press('Enter')
  await expect(page).toHaveURL('/users')
  expect(await storedToken(page)).not.toBe(token)
  await page.goto(`/users?search=${email}`)
  await expect(row(page, email)).toBeVisible()
})

test('a workspace admin sees its own users, and only what it may open', async ({ page, watchdesk }) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Own'))
  const admin = await user(id, { is_admin: true })
  await signIn(page, { ...watchdesk, email: admin.email, password: PASSWORD })
  await page.goto('/users')
  await expect(rows(page)).toHaveCount(1)
  const menu = page.getByRole('navigation', { name: 'Main' })
  const theirs = (await readScreens(page)).filter(
    ({ isForWorkspaceAdmins, menu: entry }) => isForWorkspaceAdmins && entry,
  )
  await expect(menu.getByRole('link')).toHaveText(theirs.map(({ menu: entry }) => entry?.label ?? ''))
  await expect(menu.getByRole('link', { name: 'Website config' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Create user' }).click()
  await expect(select(page, 'Workspace')).toHaveValue(name)
  await expect(select(page, 'Workspace')).toBeDisabled()
  await expect(page.getByRole('switch', { name: 'Super admin' })).toBeDisabled()
})

test('the users list loads at most 190 KB of script and style', async ({ page, watchdesk }) => {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (['script', 'stylesheet'].includes(request.resourceType())) {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    }
  })
  await shareSession(page, watchdesk)
  await page.goto('/users', { waitUntil: 'networkidle' })
  await expect(rows(page).first()).toBeVisible()
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  expect(total).toBeLessThanOrEqual(190 * 1024)
})
