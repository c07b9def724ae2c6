import { account, email, errorLine, loginButton, password, REFUSED, storedToken, submit } from './session-page.ts'
import { expect, test } from './test.ts'

const LOGIN = 'POST /api/v1/login'

test('has email, password, a Login button and the title that links home, but no account and no menu', async ({
  page,
}) => {
  await page.goto('/login')
  await expect(page).toHaveTitle('Sign in · Watchdesk')
  await expect(email(page)).toBeFocused()
  await expect(email(page)).toHaveAttribute('autocomplete', 'username')
  await expect(password(page)).toHaveAttribute('autocomplete', 'current-password')
  await expect(password(page)).toHaveAttribute('type', 'password')
  await expect(loginButton(page)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Watchdesk' })).toHaveAttribute('href', '/')
  await expect(page.getByRole('button')).toHaveCount(2)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(errorLine(page)).toHaveCount(0)
})

test('shows an error under each field, and focuses the first', async ({ page }) => {
  await page.goto('/login')
  await loginButton(page).click()
  await expect(email(page)).toHaveAccessibleDescription('Email is required!')
  await expect(password(page)).toHaveAccessibleDescription('Password is required!')
  await expect(email(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(email(page)).toBeFocused()

  await submit(page, { email: 'nobody', password: 'x' })
  await expect(email(page)).toHaveAccessibleDescription('Email must be a valid email address.')
  await expect(page.getByText('Password is required!')).toHaveCount(0)

  await submit(page, { email: 'nobody@example.com', password: '' })
  await expect(page.getByText('Email must be a valid email address.')).toHaveCount(0)
  await expect(password(page)).toBeFocused()
})

test('signs in, and shows that it does, while the file with the checks does not arrive', async ({
  page,
  watchdesk,
}) => {
  await page.route('**/assets/session.schema-*.js', () => {})
  await page.goto('/login')
  await submit(page, watchdesk)
  await expect(page.getByRole('status', { name: 'Signing in' })).toBeVisible()
  await expect(page).toHaveURL('/users')
})

test('shows and hides the password', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password(page)).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(password(page)).toHaveAttribute('type', 'password')
})

test('reloads to home with the token stored', async ({ page, watchdesk }) => {
  await page.goto('/login')
  await page.evaluate(() => Object.assign(window, { beforeReload: true }))
  const login = page.waitForRequest('**/api/v1/login')
  const me = page.waitForRequest('**/api/v1/users/me')
  await submit(page, { ...watchdesk, email: `  ${watchdesk.email} ` })

  expect((await login).postDataJSON()).toEqual({ email: watchdesk.email, password: watchdesk.password })
  expect((await login).headers()).not.toHaveProperty('authorization')
  await expect(page).toHaveURL('/users')
  expect(await page.evaluate(() => 'beforeReload' in window)).toBe(false)
  expect((await me).headers().authorization).toBe(`Bearer ${await storedToken(page)}`)
  await expect(account(page)).toBeVisible()
})

test('shows the error message of the server until the next attempt', async ({ page, watchdesk, faults }) => {
  faults.allow(REFUSED)
  await page.goto('/login')
  const response = page.waitForResponse('**/api/v1/login')
  await submit(page, { email: 'nobody@example.com', password: 'wrong' })
  const { detail } = await (await response).json()
  await expect(errorLine(page)).toHaveText(detail)
  await expect(password(page)).toBeFocused()
  expect(await storedToken(page)).toBeNull()

  await submit(page, watchdesk)
  await expect(errorLine(page)).toHaveCount(0)
  await expect(page).toHaveURL('/users')
})

test('replaces the button with a spinner while waiting, and sends once', async ({ page, otherBackend, faults }) => {
  faults.allow(REFUSED)
  let respond = () => {}
  const after = new Promise<void>((resolve) => {
    respond = resolve
  })
  otherBackend.responses[LOGIN] = { status: 401, body: { detail: 'No.' }, after }
  await page.goto(`${otherBackend.url}/login`)
  await email(page).fill('a@example.com')
  await password(page).fill('secret')
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit()
    form.requestSubmit()
  })
  await expect(page.getByRole('status', { name: 'Signing in' })).toBeVisible()
  await expect(loginButton(page)).toHaveCount(0)
  await password(page).press('Enter')
  respond()
  await expect(errorLine(page)).toHaveText('No.')
  await expect(loginButton(page)).toBeVisible()
  expect(otherBackend.calls.map(({ call }) => call).filter((call) => call.startsWith('POST'))).toEqual([LOGIN])
})

test('shows each message of a failed attempt, or the status if there is none', async ({
  page,
  otherBackend,
  faults,
}) => {
  faults.allow(REFUSED)
  await page.goto(`${otherBackend.url}/login`)
  for (const [status, body, shown] of [
    [422, { detail: [{ msg: 'First.' }, { msg: 'Second.' }] }, 'First.\nSecond.'],
    [422, { detail: [] }, 'The server responded with status 422.'],
    [400, '<h1>Bad request</h1>', 'The server responded with status 400.'],
  ] as const) {
    otherBackend.responses[LOGIN] = { status, body }
    await submit(page, { email: 'a@example.com', password: 'secret' })
    await expect.poll(() => errorLine(page).innerText()).toBe(shown)
  }
})

test('shows an error when the server cannot be reached', async ({ page, context, watchdesk, faults }) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED/)
  await page.goto('/login')
  // The form is a separate chunk, which must have loaded before the network goes offline.
  await expect(loginButton(page)).toBeVisible()
  await context.setOffline(true)
  await submit(page, watchdesk)
  await expect(errorLine(page)).toHaveText('The server cannot be reached. Check your connection and try again.')
})

test('asks again for the ways to sign in if the server does not answer', async ({ page }) => {
  const answers = [{ status: 503 }, { json: { password: false, forgotten_password: false, sso: { label: 'Acme ID' } } }]
  await page.route('**/api/v1/login/options', (route) => route.fulfill(answers.shift() ?? { status: 404 }))
  await page.goto('/login')
  await expect(page.getByRole('link', { name: 'Continue with Acme ID' })).toBeVisible()
  await expect(password(page)).toHaveCount(0)
})
