import { makeSignInsOld, REFUSED, signInAgain } from './session-page.ts'
import { expect, signIn } from './test.ts'
import { button, field, toast } from './users-page.ts'
import { PASSWORD, test, unique } from './workspaces-page.ts'

test.beforeEach(({ faults }) => faults.allow(REFUSED))

test('after an older sign-in, your own email changes once you sign in again, and the input stays until then', async ({
  page,
  make,
  watchdesk,
}) => {
  const me = await make.user((await make.workspace()).id, { is_admin: true })
  const data = { email: me.email, password: PASSWORD }
  await signIn(page, { url: watchdesk.url, ...data })
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
