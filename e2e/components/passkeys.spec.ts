import type { Page } from '@playwright/test'
import { getSignInOptions, login, requestPasskey } from '@watchdesk/contract/session'
import { addDevice, passkeyButton } from '../second-factor-page.ts'
import { errorLine, loginButton, submit } from '../session-page.ts'
import { expect, test } from './test.ts'

test.use({ isSignedIn: false })

/** Passkeys belong to a domain name, so the console is opened as localhost. */
async function openAtDomain(page: Page, url: string) {
  const origin = url.replace('127.0.0.1', 'localhost')
  await addDevice(page)
  await page.goto(`${origin}/login`)
  return origin
}

test.describe('a device without a passkey', () => {
  test.beforeEach(({ backend, faults }) => {
    const challenge = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    backend.answer(requestPasskey, { options: { challenge, rpId: 'localhost', userVerification: 'required' } })
    faults.allowOrigin(backend.url.replace('127.0.0.1', 'localhost'))
  })

  test('a device without a passkey cannot sign in, and the form stays', async ({ page, backend }) => {
    backend.answer(login, { access_token: 'any' })
    const origin = await openAtDomain(page, backend.url)
    await passkeyButton(page).click()
    await expect(errorLine(page)).toContainText('No passkey was used.')
    await submit(page, { email: 'olena@example.com', password: 'quiet river stone' })
    await expect(page).toHaveURL(`${origin}/users`)
  })

  test('without a connection, the passkey button says so when it is clicked, and works later', async ({
    page,
    context,
    backend,
  }) => {
    await openAtDomain(page, backend.url)
    await expect(passkeyButton(page)).toBeVisible()
    await context.setOffline(true)
    await passkeyButton(page).focus()
    await passkeyButton(page).click()
    await expect(errorLine(page)).toHaveText('The server cannot be reached. Check your connection and try again.')
    await context.setOffline(false)
    await passkeyButton(page).click()
    await expect(errorLine(page)).toContainText('No passkey was used.')
  })
})

test('passkeys are not offered where they cannot work', async ({ page, backend, open }) => {
  await open('/login')
  await expect(loginButton(page)).toBeVisible()
  await expect.poll(() => backend.calls(getSignInOptions).length).toBe(1)
  await expect(passkeyButton(page)).toHaveCount(0)
})
