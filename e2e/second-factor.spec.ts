import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { cancelReload } from './account-page.ts'
import { press, tabTo } from './keyboard.ts'
import {
  addAuthenticator,
  type Clock,
  codeField,
  codeOf,
  createPerson,
  heading,
  type Person,
  startWithClock,
} from './second-factor-page.ts'
import { errorLine, REFUSED, storedToken, submit } from './session-page.ts'
import { test as base, expect } from './test.ts'
import type { Watchdesk } from './watchdesk.ts'

const test = base.extend<object, { started: { watchdesk: Watchdesk; clock: Clock } }>({
  started: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
    async ({}, use) => {
      const started = await startWithClock()
      await use(started)
      await started.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  watchdesk: [({ started }, use) => use(started.watchdesk), { scope: 'worker' }],
})

// In one worker, so that one server is started.
test.describe.configure({ mode: 'default' })

/** Servers of single tests, which are stopped even if the test fails. */
const stops: (() => Promise<unknown>)[] = []
test.afterEach(async ({ page }) => {
  // An open page would still call a server that has stopped.
  if (stops.length > 0) await page.goto('about:blank')
  for (const stop of stops.splice(0)) await stop()
})

test.beforeEach(({ faults }) => faults.allow(REFUSED))

test.describe('with an authenticator app', () => {
  let person: Person
  let secret: string
  let recovery_codes: string[]

  test.beforeEach(async ({ page, started }) => {
    const { watchdesk, clock } = started
    person = await createPerson(page, watchdesk)
    ;({ secret, recovery_codes } = await addAuthenticator(page, watchdesk, person, clock))
    clock.nextStep()
    await page.goto('/login')
  })

  test('a code follows the password, and works once', async ({ page, started: { clock } }) => {
    await submit(page, person)
    await expect(heading(page)).toHaveText('Second factor')
    await expect(page).toHaveTitle('Second factor · Watchdesk')
    await expect(codeField(page)).toBeFocused()
    await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric')
    await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code')
    expect(await storedToken(page)).toBeNull()

    await page.keyboard.press('Enter')
    await expect(codeField(page)).toHaveAccessibleDescription(/Code is required!/)
    await codeField(page).fill('000000')
    await page.keyboard.press('Enter')
    await expect(errorLine(page)).toContainText('This code is wrong')
    await expect(codeField(page)).toBeFocused()
    await expectAccessible(page)

    const code = codeOf(secret, clock.now())
    await codeField(page).fill(code)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/users')

    await signOut(page)
    await submit(page, person)
    await codeField(page).fill(code)
    await page.keyboard.press('Enter')
    await expect(errorLine(page)).toContainText('was used before')
    clock.nextStep()
    await codeField(page).fill(codeOf(secret, clock.now()))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/users')
  })

  test('a recovery code works instead, once, and one error shows at a time', async ({ page }) => {
    const [code = ''] = recovery_codes
    for (const isNew of [true, false]) {
      await submit(page, person)
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await expect(codeField(page)).toBeFocused()
      await expect(codeField(page)).toHaveAccessibleName('Recovery code')
      await expect(codeField(page)).toHaveAccessibleDescription(/Each works once/)
      if (isNew) await expectAccessible(page)
      await codeField(page).fill(code)
      await page.getByRole('button', { name: 'Continue' }).click()
      if (!isNew) continue
      await expect(page.getByRole('status')).toContainText('You signed in with a recovery code. 9 of them are left.')
      await expect(page.getByRole('button', { name: 'Continue' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/users')
      await signOut(page)
    }
    await expect(errorLine(page)).toHaveText('This recovery code is wrong or was used before. Enter another one.')
    await codeField(page).fill('')
    await page.keyboard.press('Enter')
    await expect(codeField(page)).toHaveAccessibleDescription(/Code is required!/)
    await expect(errorLine(page)).toHaveCount(0)
    expect(await storedToken(page)).toBeNull()
  })
})

test('an account that needs a second factor sets up an app, and saves the recovery codes, by keyboard on a phone', async ({
  page,
  faults,
}) => {
  const { watchdesk, clock, stop } = await startWithClock({ REQUIRE_SECOND_FACTOR: 'all' })
  stops.push(stop)
  faults.allowOrigin(watchdesk.url)
  const home = `${watchdesk.url}/users`
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${watchdesk.url}/login`)
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(watchdesk.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(watchdesk.password)
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Set up a second factor')
  await expect(heading(page)).toBeFocused()
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: /^Authenticator app/ }))
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await expectAccessible(page)
  const secret = await page.locator('code').innerText()
  await tabTo(page, codeField(page))
  await page.keyboard.type('000000')
  await press(page, page.getByRole('button', { name: 'Confirm' }))
  await expect(errorLine(page)).toContainText('This code is wrong')
  await expect(codeField(page)).toBeFocused()
  await page.keyboard.type(codeOf(secret, clock.now()))
  await page.keyboard.press('Enter')

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
  await expect(page).toHaveURL(home)

  await signOut(page, watchdesk.url)
  await submit(page, watchdesk)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await codeField(page).fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(home)
})

async function signOut(page: Page, url = '') {
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${url}/login`)
}
