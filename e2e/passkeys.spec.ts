import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { createToken, openAccount, section, signInAsPerson } from './account-page.ts'
import { press } from './keyboard.ts'
import { addDevice, heading, passkeyButton } from './second-factor-page.ts'
import { errorLine, makeSignInsOld, REFUSED, signInAgain, storedToken, submit } from './session-page.ts'
import { test as base, expect, signIn } from './test.ts'
import { dialog } from './users-page.ts'
import { startWatchdesk, type Watchdesk } from './watchdesk.ts'

/** Passkeys belong to a domain name, so the console is opened as localhost. */
const test = base.extend<object, { strict: Watchdesk }>({
  watchdesk: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
    async ({}, use) => {
      const watchdesk = await startWatchdesk()
      await use({ ...watchdesk, url: watchdesk.url.replace('127.0.0.1', 'localhost') })
      await watchdesk.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  strict: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
    async ({}, use) => {
      const watchdesk = await startWatchdesk({ REQUIRE_SECOND_FACTOR: 'all' })
      await use({ ...watchdesk, url: watchdesk.url.replace('127.0.0.1', 'localhost') })
      await watchdesk.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

// In one worker, so that each server is started once.
test.describe.configure({ mode: 'default' })

test('a passkey that is set up at the sign-in is the second factor, and signs in without a password', async ({
  page,
  strict,
  faults,
}) => {
  faults.allow(REFUSED)
  faults.allowOrigin(strict.url)
  const device = await addDevice(page)
  await page.goto(`${strict.url}/login`)
  await submit(page, strict)
  await page.getByRole('button', { name: /^Passkey/ }).click()
  await expect(heading(page)).toHaveText('Passkey')
  await expect(heading(page)).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(/ on /)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expect(heading(page)).toHaveText('Recovery codes')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${strict.url}/users`)

  // It is the only second factor besides the recovery codes, so the browser asks for it at once.
  await signOut(page, strict)
  await submit(page, strict)
  await expect(page).toHaveURL(`${strict.url}/users`)

  await signOut(page, strict)
  await device.setConfirmed(false)
  await submit(page, strict)
  await expect(heading(page)).toHaveText('Second factor')
  await expect(errorLine(page)).toContainText('No passkey was used.')
  await expectAccessible(page)
  expect(await storedToken(page)).toBeNull()
  await device.setConfirmed(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(`${strict.url}/users`)

  await signOut(page, strict)
  await device.setConfirmed(false)
  await passkeyButton(page).click()
  await expect(errorLine(page)).toContainText('No passkey was used.')
  await expect(passkeyButton(page)).toBeFocused()
  await device.setConfirmed(true)
  await page.setViewportSize({ width: 390, height: 844 })
  await press(page, passkeyButton(page))
  await expect(page).toHaveURL(`${strict.url}/users`)
})

test('a passkey confirms a dangerous action in a dialog, and one of another user does not', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  await addDevice(page)
  const person = await signInAsPerson(page, watchdesk)
  await openAccount(page)
  await section(page, 'Second factor').getByRole('button', { name: 'Add passkey' }).press('Enter')
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('checkbox', { name: 'I have saved them' }).check()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await makeSignInsOld(watchdesk)
  await createToken(page, 'Airflow')
  await expect(signInAgain(page)).toBeVisible()
  await press(page, passkeyButton(page))
  await expect(page.getByText(/^wdk_/)).toBeVisible()
  await expect(signInAgain(page)).toHaveCount(0)

  const token = await signIn(page, watchdesk)
  await openAccount(page)
  await makeSignInsOld(watchdesk)
  await createToken(page, 'Airflow')
  await passkeyButton(page).click()
  await expect(errorLine(page)).toHaveText(
    `You signed in as ${person.email}. To continue, sign in as ${watchdesk.email}.`,
  )
  expect(await storedToken(page)).toBe(token)
  await expectAccessible(page)
  await signInAgain(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Sign in again to do this')
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Airflow')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(section(page, 'Tokens')).toContainText('No tokens yet.')
})

async function signOut(page: Page, { url }: Pick<Watchdesk, 'url'>) {
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${url}/login`)
}
