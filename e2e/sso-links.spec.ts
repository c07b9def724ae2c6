import { createToken, openAccount } from './account-page.ts'
import { ADMIN_ACCOUNT, continueLink, signInAtProvider, test } from './oidc.ts'
import { createPerson, heading } from './second-factor-page.ts'
import {
  account,
  email,
  errorLine,
  loginButton,
  logoutItem,
  makeSignInsOld,
  REFUSED,
  signInAgain,
  storedToken,
  submit,
} from './session-page.ts'
import { expect, signIn } from './test.ts'
import { field } from './users-page.ts'

// In one worker, so that one server is started.
test.describe.configure({ mode: 'default' })

test('signs in at the provider, and signs out there too, and someone without an account learns why not', async ({
  page,
  context,
  provider,
  faults,
}) => {
  // Signing out rejects calls that are still on their way.
  faults.allow(REFUSED)
  provider.accounts.stranger = { email: 'stranger@example.com', email_verified: true }
  await page.goto('/login')
  await continueLink(page).click()
  await signInAtProvider(page, 'stranger')
  await expect(errorLine(page)).toHaveText('You have no account here. Ask an admin to add you.')
  await expect(loginButton(page)).toBeVisible()
  expect(await storedToken(page)).toBeNull()

  await context.clearCookies()
  await continueLink(page).click()
  await expect(page).toHaveURL((url) => url.origin === provider.issuer)
  await signInAtProvider(page, ADMIN_ACCOUNT)
  await expect(page).toHaveURL('/users')
  await account(page).click()
  await logoutItem(page).click()
  await expect(page).toHaveURL((url) => url.origin === provider.issuer)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  await expect(errorLine(page)).toHaveCount(0)
  expect(await storedToken(page)).toBeNull()

  // The provider asks again, because the user has signed out there.
  await continueLink(page).click()
  await expect(page.getByLabel('Account')).toBeVisible()
})

test('a dangerous action waits for a window of the provider, and another user there does not do it', async ({
  page,
  context,
  watchdesk,
  provider,
  faults,
}) => {
  faults.allow(REFUSED)
  const other = await createPerson(page, watchdesk)
  provider.accounts.other = { email: other.email, email_verified: true }
  const token = await signIn(page, watchdesk)
  await openAccount(page)
  await makeSignInsOld(watchdesk)
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/account/tokens/')) {
      statuses.push(response.status())
    }
  })
  await createToken(page, 'Airflow')
  await expect(signInAgain(page)).toContainText('To do this, confirm that it is you.')

  const opened = context.waitForEvent('page')
  await continueLink(page).click()
  const popup = await opened
  await signInAtProvider(popup, 'other')
  await expect(errorLine(popup)).toHaveText(
    `You signed in as ${other.email}. To continue, sign in as ${watchdesk.email}.`,
  )
  await expect(signInAgain(page)).toBeVisible()
  expect([statuses, await storedToken(page)]).toEqual([[401], token])

  const closed = popup.waitForEvent('close')
  await popup.getByRole('link', { name: 'Try again' }).click()
  // The provider asks, although it knows who is signed in there.
  await signInAtProvider(popup, ADMIN_ACCOUNT)
  await closed
  await expect(page.getByText(/^wdk_/)).toBeVisible()
  await expect(signInAgain(page)).toHaveCount(0)
  expect(statuses).toEqual([401, 201])
  expect(await storedToken(page)).not.toBe(token)
})

test('someone who forgot the password gets a link by mail, and the same answer as someone unknown', async ({
  page,
  smtp,
  watchdesk,
}) => {
  const person = await createPerson(page, watchdesk)
  await page.goto('/login')
  const answers: string[] = []
  for (const address of ['nobody@example.com', person.email]) {
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expect(email(page)).toBeFocused()
    await email(page).fill(address)
    await page.keyboard.press('Enter')
    await expect(heading(page)).toHaveText('Check your mail')
    answers.push(await page.getByRole('main').innerText())
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
  }
  expect(answers[0]).toBe(answers[1])

  const links = () => smtp.received.filter(({ text }) => text.includes('/set_password#'))
  await expect.poll(() => links().map(({ to }) => to)).toEqual([[person.email]])
  await page.goto(/http\S+\/set_password#[\w-]+/.exec(links()[0]?.text ?? '')?.[0] ?? '')
  await expect(heading(page)).toHaveText('Hello, Iryna')
  await page.getByRole('button', { name: 'Generate' }).click()
  const chosen = await field(page, 'Password').inputValue()
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await submit(page, { email: person.email, password: chosen })
  await expect(page).toHaveURL('/users')
})
