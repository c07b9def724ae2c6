import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { codeOf, events, openAccount, saveCodes, section, signInAsPerson } from './account-page.ts'
import { addDevice } from './second-factor-page.ts'
import { PASSWORD } from './seed.ts'
import { REFUSED } from './session-page.ts'
import { expect, storeToken, test } from './test.ts'
import { dialog, toast } from './users-page.ts'

async function addAuthenticator(page: Page, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const { secret } = await (await page.request.post('/api/v1/account/authenticator', { headers })).json()
  const data = { code: codeOf(secret) }
  expect((await page.request.post('/api/v1/account/authenticator/confirm', { headers, data })).ok()).toBe(true)
}

test('an authenticator app is set up with its first code, its recovery codes are replaced, and it is removed', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { email } = await signInAsPerson(page, watchdesk)
  await openAccount(page)
  const factor = section(page, 'Second factor')
  await expect(factor).toContainText('Anyone who knows your password can sign in as you.')
  await expect(factor).toContainText('they need a domain name and you opened this page at an IP address')
  await factor.getByRole('button', { name: 'Set up an authenticator app' }).press('Enter')
  await expect(dialog(page).getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await expectAccessible(page)
  const code = dialog(page).getByRole('textbox', { name: 'Code' })
  await expect(code).toBeFocused()
  await code.fill('000000')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  await code.fill('')
  await page.keyboard.press('Enter')
  await expect(code).toHaveAccessibleDescription(/Code is required!/)
  await expect(dialog(page).getByRole('alert')).toHaveCount(0)
  await code.fill(codeOf(await dialog(page).locator('code').first().innerText()))
  await page.keyboard.press('Enter')
  const first = await saveCodes(page)
  await expect(toast(page)).toContainText('Authenticator app set up. Your other sessions ended.')
  await expect(factor).toContainText('Nobody can sign in with your password alone.')
  await expect(factor).toContainText('10 of 10 codes left.')
  const login = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  expect(await login.json()).toMatchObject({ next: 'second_factor' })

  await factor.getByRole('button', { name: 'Generate new codes' }).click()
  await dialog(page).getByRole('button', { name: 'Generate new codes' }).click()
  const second = await saveCodes(page)
  expect(second.filter((each) => first.includes(each))).toEqual([])
  await expect(factor.getByRole('button', { name: 'Generate new codes' })).toBeFocused()

  await factor.getByRole('button', { name: 'Replace the authenticator app' }).click()
  await expect(page.getByRole('dialog', { name: 'Replace the authenticator app' })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toHaveCount(0)

  await factor.getByRole('button', { name: 'Remove the authenticator app' }).click()
  await expect(dialog(page)).toContainText(
    'your password alone is enough to sign in, and your recovery codes stop working too.',
  )
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await expect(factor).toContainText('Anyone who knows your password can sign in as you.')
  await expect(factor.getByRole('button', { name: 'Generate new codes' })).toHaveCount(0)
  await expect(await events(page)).toContainText('removed the authenticator app')
})

test('a passkey is added, renamed and removed', async ({ page, watchdesk, faults }) => {
  // Passkeys belong to a domain name.
  const origin = watchdesk.url.replace('127.0.0.1', 'localhost')
  faults.allowOrigin(origin)
  const { token } = await signInAsPerson(page, watchdesk)
  const device = await addDevice(page)
  await storeToken(page, origin, token)
  await openAccount(page, origin)
  const factor = section(page, 'Second factor')
  await factor.getByRole('button', { name: 'Add passkey' }).press('Enter')
  const name = dialog(page).getByRole('textbox', { name: 'Name' })
  await expect(name).toHaveValue(/ on /)
  await name.fill('')
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await expect(name).toHaveAccessibleDescription(/Name is required!/)
  await expect(name).toBeFocused()
  await name.fill('Work laptop')
  await device.setConfirmed(false)
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('No passkey was added.')
  await expect(name).toBeFocused()
  await device.setConfirmed(true)
  await page.keyboard.press('Enter')
  await saveCodes(page)
  await expect(toast(page)).toContainText('Passkey added. Your other sessions ended.')
  const row = factor.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
  await expect(row).toContainText('Work laptop')
  await expect(row).toContainText('Never used')
  await expectAccessible(page)

  await row.getByRole('button', { name: 'Rename the passkey Work laptop' }).click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await page.keyboard.press('Enter')
  await expect(row).toContainText('Laptop')
  // Only the last second factor leaves the password alone.
  await addAuthenticator(page, token)
  await page.reload()
  await row.getByRole('button', { name: 'Remove the passkey Laptop' }).click()
  await expect(dialog(page)).toContainText('You can no longer sign in with it.')
  await expect(dialog(page)).not.toContainText('alone')
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page).filter({ hasText: 'Passkey “Laptop” removed.' })).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(await events(page)).toContainText('renamed the passkey “Work laptop” to “Laptop”')
})
