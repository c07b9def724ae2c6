import { PASSWORD, seed, unique } from './seed.ts'
import { makeSignInsOld, REFUSED, signInAgain } from './session-page.ts'
import { expect, storeToken, test } from './test.ts'
import { button, expectError, field, heading, toast, toggle } from './users-page.ts'

const NEW = 'a new long password'

test.beforeEach(({ faults }) => faults.allow(REFUSED))

test('your own password changes after a recent sign-in, and only this session stays signed in', async ({
  page,
  watchdesk,
}) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Harbor'))
  const me = await user(id, { is_admin: true })
  const login = async (password: string) =>
    page.request.post(`${watchdesk.url}/api/v1/login`, { data: { email: me.email, password } })
  const here = (await (await login(PASSWORD)).json()).access_token
  const elsewhere = (await (await login(PASSWORD)).json()).access_token
  const isSignedIn = async (token: string) =>
    (await page.request.get('/api/v1/users/me', { headers: { authorization: `Bearer ${token}` } })).ok()
  await storeToken(page, watchdesk.url, here)
  await page.goto(`/users/${me.id}/edit`)

  await toggle(page, 'Change password').click({ force: true })
  await field(page, 'Password').fill('P@ssw0rd')
  await button(page, 'Save').click()
  await expectError(
    page,
    'Password',
    'This password is too common. Choose one that is harder to guess, or generate one.',
  )

  await field(page, 'Password').fill(NEW)
  await button(page, 'Save').click()
  await expect(page).toHaveURL(/\/users$/)
  await expect(heading(page)).toHaveText('Users')

  expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, false])
  expect((await login(PASSWORD)).status()).toBe(401)
  expect((await login(NEW)).status()).toBe(200)
})

test('after an older sign-in, your own email changes once you sign in again, and the input stays until then', async ({
  page,
  watchdesk,
}) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Harbor'))
  const me = await user(id, { is_admin: true })
  const data = { email: me.email, password: PASSWORD }
  const { access_token } = await (await page.request.post('/api/v1/login', { data })).json()
  await storeToken(page, watchdesk.url, access_token)
  await page.goto(`/users/${me.id}/edit`)
  const email = `${unique('moved')}@example.com`
  await makeSignInsOld(watchdesk)
  await field(page, 'Email').fill(email)
  await button(page, 'Save').click()
  await signInAgain(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(toast(page)).toContainText('Sign in again to do this')
  await expect(field(page, 'Email')).toHaveValue(email)
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  expect((await page.request.post('/api/v1/login', { data })).status()).toBe(200)
  await button(page, 'Save').click()
  await signInAgain(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/users$/)
  expect((await page.request.post('/api/v1/login', { data: { ...data, email } })).status()).toBe(200)
})

test('a locked user shows until when, and is unlocked with a button', async ({ page, watchdesk }) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Harbor'))
  const person = await user(id, { is_admin: true })
  const login = async (password: string) =>
    (await page.request.post('/api/v1/login', { data: { email: person.email, password } })).status()
  await page.goto(`/users/${person.id}/edit`)
  await expect(heading(page)).toContainText('Edit User')
  await expect(button(page, 'Unlock')).toHaveCount(0)

  for (let attempt = 0; attempt < 10; attempt++) expect(await login('wrong password')).toBe(401)
  expect(await login(PASSWORD)).toBe(401)
  await page.reload()
  await expect(
    page.getByText(/Too many wrong passwords were entered for this user\. Sign-in is locked until/),
  ).toBeVisible()
  await button(page, 'Unlock').click()
  await expect(page.getByText('User unlocked.')).toBeVisible()
  await expect(button(page, 'Unlock')).toHaveCount(0)
  expect(await login(PASSWORD)).toBe(200)
})
