import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { cancelReload, createToken, openAccount } from './account-page.ts'
import { runSql } from './database.ts'
import { press, tabTo } from './keyboard.ts'
import {
  addDevice,
  type Clock,
  codeField,
  codeOf,
  heading,
  passkeyButton,
  startWithClock,
} from './second-factor-page.ts'
import { errorLine, makeSignInsOld, REFUSED, signInAgain, storedToken, submit } from './session-page.ts'
import { test as base, expect } from './test.ts'
import type { Watchdesk } from './watchdesk.ts'

/** Everyone needs a second factor. Passkeys belong to a domain name, so the console is opened as localhost. */
const test = base.extend<object, { started: { watchdesk: Watchdesk; clock: Clock } }>({
  started: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
    async ({}, use) => {
      const { watchdesk, clock, stop } = await startWithClock({ REQUIRE_SECOND_FACTOR: 'all' })
      await use({ watchdesk: { ...watchdesk, url: watchdesk.url.replace('127.0.0.1', 'localhost') }, clock })
      await stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  watchdesk: [({ started }, use) => use(started.watchdesk), { scope: 'worker' }],
})

// In one worker, so that one server is started.
test.describe.configure({ mode: 'default' })

test.beforeEach(async ({ page, watchdesk, faults }) => {
  faults.allow(REFUSED)
  const factors = 'with a as (delete from authenticators), b as (delete from passkeys) delete from recovery_codes'
  await runSql(watchdesk, factors)
  await page.goto('/login')
})

test('an app is set up at the sign-in by keyboard on a phone, then a code follows the password, and works once, like a recovery code', async ({
  page,
  started: { watchdesk, clock },
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await submit(page, watchdesk)
  await expect(heading(page)).toHaveText('Set up a second factor')
  await expect(heading(page)).toBeFocused()
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: /^Authenticator app/ }))
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = await page.locator('code').innerText()
  const code = codeOf(secret, clock.now())
  await tabTo(page, codeField(page))
  await enter('000000')
  await expect(errorLine(page)).toContainText('This code is wrong')
  await expect(codeField(page)).toBeFocused()
  await enter(code)

  await expect(heading(page)).toHaveText('Recovery codes')
  await expect(heading(page)).toBeFocused()
  await expectAccessible(page)
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
  expect(new Set(codes).size).toBe(10)
  const download = page.waitForEvent('download')
  await press(page, page.getByRole('button', { name: 'Download' }))
  const text = await readFile(await (await download).path(), 'utf8')
  for (const part of [...codes, watchdesk.email, watchdesk.url]) expect(text).toContain(part)
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled()
  expect(await storedToken(page)).toBeNull()
  await cancelReload(page)
  await press(page, page.getByRole('checkbox', { name: 'I have saved them' }), 'Space')
  await press(page, page.getByRole('button', { name: 'Continue' }))
  await expect(page).toHaveURL('/users')

  await signOut(page)
  await submit(page, watchdesk)
  await expect(heading(page)).toHaveText('Second factor')
  await expect(page).toHaveTitle('Second factor · Watchdesk')
  await enter(code)
  await expect(errorLine(page)).toContainText('was used before')
  clock.nextStep()
  await enter(codeOf(secret, clock.now()))
  await expect(page).toHaveURL('/users')

  await enterRecoveryCode()
  await expect(page.getByRole('status')).toContainText('You signed in with a recovery code. 9 of them are left.')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/users')
  await enterRecoveryCode()
  await expect(errorLine(page)).toHaveText('This recovery code is wrong or was used before. Enter another one.')
  expect(await storedToken(page)).toBeNull()

  async function enterRecoveryCode() {
    await signOut(page)
    await submit(page, watchdesk)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await enter(codes[0] ?? '')
  }

  async function enter(value: string) {
    await codeField(page).fill(value)
    await page.keyboard.press('Enter')
  }
})

test('a passkey that is set up at the sign-in is the second factor, signs in without a password, and confirms a dangerous action', async ({
  page,
  watchdesk,
}) => {
  const device = await addDevice(page)
  await submit(page, watchdesk)
  await page.getByRole('button', { name: /^Passkey/ }).click()
  await expect(heading(page)).toHaveText('Passkey')
  await expect(heading(page)).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(/ on /)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expect(heading(page)).toHaveText('Recovery codes')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/users')

  // It is the only second factor besides the recovery codes, so the browser asks for it at once.
  await signOut(page)
  await device.setConfirmed(false)
  await submit(page, watchdesk)
  await expect(heading(page)).toHaveText('Second factor')
  await expect(errorLine(page)).toContainText('No passkey was used.')
  expect(await storedToken(page)).toBeNull()
  await device.setConfirmed(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL('/users')

  await signOut(page)
  await press(page, passkeyButton(page))
  await expect(page).toHaveURL('/users')

  await openAccount(page)
  await makeSignInsOld(watchdesk)
  await createToken(page, 'Airflow')
  await expect(signInAgain(page)).toBeVisible()
  await press(page, passkeyButton(page))
  await expect(page.getByText(/^wdk_/)).toBeVisible()
  await expect(signInAgain(page)).toHaveCount(0)
})

async function signOut(page: Page) {
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
}
