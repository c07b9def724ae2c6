import { enterCode, login, logout, type PendingSignIn, SIGN_IN_EXPIRED } from '@watchdesk/contract/auth/session'
import { createToken } from '@watchdesk/contract/auth/tokens'
import { expectAccessible } from '../accessible.ts'
import { expectAccount, createToken as fillToken } from '../account-page.ts'
import { codeField, heading } from '../second-factor-page.ts'
import { email, errorLine, loginButton, password, signInAgain, submit } from '../session-page.ts'
import { answerAccount, CONFIRM } from './account.ts'
import { Refusal } from './backend.ts'
import { expect, test } from './test.ts'

const PERSON = { email: 'olena@example.com', password: 'quiet river stone' }
const PENDING: PendingSignIn = {
  sign_in_token: 'pending',
  next: 'second_factor',
  methods: ['authenticator', 'recovery_code'],
  expires_at: '2026-11-17T01:10:00.000Z',
}

test.beforeEach(({ backend }) => {
  backend.answer(login, PENDING)
  backend.answer(enterCode, ({ body: { code }, headers }) => {
    const isRight = code === '123456' && headers.authorization === 'Bearer pending'
    return isRight ? { access_token: 'new' } : new Refusal(401, 'This code is wrong.')
  })
})

test.describe('at the sign-in', () => {
  test.use({ isSignedIn: false })

  test('all of it needs no mouse, one error shows at a time, and one that has expired starts again, and says so', async ({
    page,
    backend,
    open,
  }) => {
    await open('/login')
    await submit(page, PERSON)
    await expect(codeField(page)).toBeFocused()
    await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric')
    await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code')
    for (const name of ['Continue', 'Use a recovery code', 'Back']) {
      await page.keyboard.press('Tab')
      await expect(page.getByRole('button', { name })).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await expect(heading(page)).toHaveText('Sign in')
    await expect(email(page)).toHaveValue(PERSON.email)
    await expect(email(page)).toBeFocused()
    await password(page).fill(PERSON.password)
    await page.keyboard.press('Enter')

    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await expect(codeField(page)).toBeFocused()
    await expect(codeField(page)).toHaveAccessibleName('Recovery code')
    await expect(codeField(page)).toHaveAccessibleDescription(/Each works once/)
    await codeField(page).fill('000000')
    await page.keyboard.press('Enter')
    await expect(errorLine(page)).toHaveText('This code is wrong.')
    await codeField(page).fill('')
    await page.keyboard.press('Enter')
    await expect(codeField(page)).toHaveAccessibleDescription(/Code is required!/)
    await expect(errorLine(page)).toHaveCount(0)

    backend.refuse(enterCode, 401, SIGN_IN_EXPIRED)
    await codeField(page).fill('123456')
    await page.keyboard.press('Enter')
    await expect(errorLine(page)).toHaveText('This sign-in has expired. Start again.')
    await expect(loginButton(page)).toBeVisible()
    await expect(password(page)).toHaveValue('')
  })
})

test('a dangerous action asks for the password and a code in a dialog, and is done after that', async ({
  page,
  backend,
  open,
}) => {
  answerAccount(backend)
  backend.answer(logout, undefined)
  const token = { id: 3, name: 'Airflow', is_read_only: true, last_used_at: null, last_ip: null, token: 'wdk_secret' }
  const dates = { created_at: '2026-11-17T01:00:00.000Z', expires_at: '2027-02-17T01:00:00.000Z' }
  backend.answer(createToken, ({ headers }) =>
    headers.authorization === 'Bearer new' ? { ...token, ...dates } : CONFIRM,
  )
  await open('/account')
  await expectAccount(page)
  await fillToken(page, 'Airflow')
  await expect(signInAgain(page).getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(PERSON.password)
  await page.keyboard.press('Enter')
  await expect(signInAgain(page).getByRole('heading', { name: 'Second factor' })).toBeVisible()
  await expect(codeField(page)).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(errorLine(page)).toContainText('This code is wrong')
  // The wrong code is selected, so that typing replaces it.
  await page.keyboard.type('123456')
  await page.keyboard.press('Enter')
  await expect(page.getByText('wdk_secret')).toBeVisible()
  await expect(signInAgain(page)).toHaveCount(0)
  expect(backend.calls(createToken)).toHaveLength(2)
})
