import { generateKeyPairSync } from 'node:crypto'
import {
  currentUser,
  getSignInOptions,
  login,
  logout,
  requestPasskey,
  signInWithPasskey,
} from '@watchdesk/contract/auth/session'
import { createToken } from '@watchdesk/contract/auth/tokens'
import { expectAccount, createToken as fillToken } from '../account-page.ts'
import { addDevice, passkeyButton } from '../second-factor-page.ts'
import { errorLine, loginButton, signInAgain, storedToken, submit } from '../session-page.ts'
import { dialog } from '../users-page.ts'
import { answerAccount, CONFIRM } from './account.ts'
import { aUser, ME } from './records.ts'
import { expect, test } from './test.ts'

/** Passkeys belong to a domain name, so the console is opened as localhost. */
const atDomain = (url: string) => url.replace('127.0.0.1', 'localhost')

test.beforeEach(({ backend, faults }) => {
  const challenge = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  backend.answer(requestPasskey, { options: { challenge, rpId: 'localhost', userVerification: 'required' } })
  faults.allowOrigin(atDomain(backend.url))
})

test.describe('at the sign-in', () => {
  test.use({ isSignedIn: false })

  test('a device without a passkey cannot sign in, the button says if there is no connection, and the form stays', async ({
    page,
    context,
    backend,
  }) => {
    backend.answer(login, { access_token: 'any' })
    await addDevice(page)
    await page.goto(`${atDomain(backend.url)}/login`)
    await expect(passkeyButton(page)).toBeVisible()
    await context.setOffline(true)
    await passkeyButton(page).focus()
    await passkeyButton(page).click()
    await expect(errorLine(page)).toHaveText('The server cannot be reached. Check your connection and try again.')
    await context.setOffline(false)
    await passkeyButton(page).click()
    await expect(errorLine(page)).toContainText('No passkey was used.')
    await expect(passkeyButton(page)).toBeFocused()
    await submit(page, { email: 'olena@example.com', password: 'quiet river stone' })
    await expect(page).toHaveURL(`${atDomain(backend.url)}/users`)
  })

  test('passkeys are not offered where they cannot work', async ({ page, backend, open }) => {
    await open('/login')
    await expect(loginButton(page)).toBeVisible()
    await expect.poll(() => backend.calls(getSignInOptions).length).toBe(1)
    await expect(passkeyButton(page)).toHaveCount(0)
  })
})

test('a passkey of another user does not confirm a dangerous action, and nothing typed is lost', async ({
  page,
  backend,
  token,
}) => {
  const other = aUser({ email: 'vera@example.com' })
  answerAccount(backend)
  backend.answer(currentUser, ({ headers }) => (headers.authorization === 'Bearer theirs' ? { ...ME, ...other } : ME))
  backend.answer(createToken, () => CONFIRM)
  backend.answer(signInWithPasskey, { access_token: 'theirs' })
  backend.answer(logout, undefined)
  const device = await addDevice(page)
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'der' })
  await device.addPasskey(key)
  await page.goto(`${atDomain(backend.url)}/empty`)
  await page.evaluate((value) => localStorage.setItem('access_token', value), token ?? '')
  await page.goto(`${atDomain(backend.url)}/account`)
  await expectAccount(page)
  await fillToken(page, 'Airflow')
  await passkeyButton(page).click()
  await expect(errorLine(page)).toHaveText(`You signed in as ${other.email}. To continue, sign in as ${ME.email}.`)
  expect(await storedToken(page)).toBe(token)
  expect(backend.calls(logout).map(({ headers }) => headers.authorization)).toEqual(['Bearer theirs'])
  await signInAgain(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Sign in again to do this')
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Airflow')
})
