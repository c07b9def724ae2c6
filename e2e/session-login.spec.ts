import { account, errorLine, password, REFUSED, storedToken, submit } from './session-page.ts'
import { expect, test } from './test.ts'

test('shows the error message of the server until the next attempt, which reloads to home with the token stored', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  await page.goto('/login')
  await page.evaluate(() => Object.assign(window, { beforeReload: true }))
  const response = page.waitForResponse('**/api/v1/login')
  await submit(page, { email: 'nobody@example.com', password: 'wrong' })
  const { detail } = await (await response).json()
  await expect(errorLine(page)).toHaveText(detail)
  await expect(password(page)).toBeFocused()
  expect(await storedToken(page)).toBeNull()

  const login = page.waitForRequest('**/api/v1/login')
  const me = page.waitForRequest('**/api/v1/users/me')
  await submit(page, { ...watchdesk, email: `  ${watchdesk.email} ` })
  expect((await login).postDataJSON()).toEqual({ email: watchdesk.email, password: watchdesk.password })
  expect((await login).headers()).not.toHaveProperty('authorization')
  await expect(errorLine(page)).toHaveCount(0)
  await expect(page).toHaveURL('/users')
  expect(await page.evaluate(() => 'beforeReload' in window)).toBe(false)
  expect((await me).headers().authorization).toBe(`Bearer ${await storedToken(page)}`)
  await expect(account(page)).toBeVisible()
})
