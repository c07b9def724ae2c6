import { getSignInOptions, login } from '@watchdesk/contract/auth/session'
import { email, errorLine, loginButton, password, submit } from '../session-page.ts'
import { Raw, Refusal } from './backend.ts'
import { expect, test } from './test.ts'

const PERSON = { email: 'a@example.com', password: 'secret' }

test.use({ isSignedIn: false })

test('has email, password, a Login button and the title that links home, and shows an error under each field', async ({
  page,
  backend,
  open,
}) => {
  backend.refuse(login, 401, 'No.')
  await open('/login')
  await expect(page).toHaveTitle('Sign in · Watchdesk')
  await expect(email(page)).toBeFocused()
  await expect(email(page)).toHaveAttribute('autocomplete', 'username')
  await expect(password(page)).toHaveAttribute('autocomplete', 'current-password')
  await expect(password(page)).toHaveAttribute('type', 'password')
  await expect(page.getByRole('link', { name: 'Watchdesk' })).toHaveAttribute('href', '/')
  await expect(page.getByRole('button')).toHaveCount(2)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(errorLine(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password(page)).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(password(page)).toHaveAttribute('type', 'password')

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
  expect(backend.calls(login)).toEqual([])
})

test('replaces the button with a spinner while waiting, sends once, and shows each message of a failed attempt, or what happened if there is none', async ({
  page,
  backend,
  open,
}) => {
  backend.refuse(login, 401, 'No.')
  const release = backend.hold(login)
  await open('/login')
  await email(page).fill(PERSON.email)
  await password(page).fill(PERSON.password)
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit()
    form.requestSubmit()
  })
  await expect(page.getByRole('status', { name: 'Signing in' })).toBeVisible()
  await expect(loginButton(page)).toHaveCount(0)
  await password(page).press('Enter')
  release()
  await expect(errorLine(page)).toHaveText('No.')
  await expect(loginButton(page)).toBeVisible()
  expect(backend.calls(login)).toHaveLength(1)

  for (const [answer, shown] of [
    [new Refusal(422, [{ msg: 'First.' }, { msg: 'Second.' }]), 'First.\nSecond.'],
    [new Refusal(422, []), 'The server responded with status 422.'],
    [new Raw(400, '<h1>Bad request</h1>'), 'The server responded with status 400.'],
  ] as const) {
    backend.answer(login, () => answer)
    await submit(page, PERSON)
    await expect.poll(() => errorLine(page).innerText()).toBe(shown)
  }

  backend.cutOff(login)
  await submit(page, PERSON)
  await expect(errorLine(page)).toHaveText('The server cannot be reached. Check your connection and try again.')
})

test('asks again for the ways to sign in if the server does not answer', async ({ page, backend, open }) => {
  const options = { password: false, forgotten_password: false, sso: { label: 'Acme ID' } }
  backend.answer(getSignInOptions, () =>
    backend.calls(getSignInOptions).length === 1 ? new Refusal(503, 'Busy.') : options,
  )
  await open('/login')
  await expect(page.getByRole('link', { name: 'Continue with Acme ID' })).toBeVisible()
  await expect(password(page)).toHaveCount(0)
})
