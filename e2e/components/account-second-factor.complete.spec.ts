import { renewRecoveryCodes } from '@watchdesk/contract/account'
import { codes, expectKept, openAccountFromMenu, saveCodes, section } from '../account-page.ts'
import { dialog, heading } from '../users-page.ts'
import { answerAccount } from './account.ts'
import { expect, test } from './test.ts'

test('a passkey that is not the only second factor is removed, and recovery codes stay on the screen until they are saved: Back does nothing, and the browser asks before a reload', async ({
  page,
  backend,
  open,
}) => {
  const recovery_codes = Array.from({ length: 10 }, (_, index) => `b4kq-9xzm-7r2${index}`)
  const created_at = '2026-11-17T01:00:00.000Z'
  const passkeys = [{ id: 1, name: 'Laptop', created_at, last_used_at: null }]
  answerAccount(backend, { authenticator: { created_at }, passkeys, recovery_codes_left: 10 })
  backend.answer(renewRecoveryCodes, { recovery_codes })
  await open('/users')
  await openAccountFromMenu(page)
  await section(page, 'Second factor').getByRole('button', { name: 'Remove the passkey Laptop' }).click()
  await expect(dialog(page)).toContainText('You can no longer sign in with it.')
  await expect(dialog(page)).not.toContainText('alone')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await section(page, 'Second factor').getByRole('button', { name: 'Generate new codes' }).click()

  // Before there are codes, Back leaves like with every other dialog.
  await expect(dialog(page).getByRole('button', { name: 'Generate new codes' })).toBeVisible()
  await page.goBack()
  await expect(heading(page)).toHaveText('Users')
  await expect(dialog(page)).toHaveCount(0)

  await page.goForward()
  await section(page, 'Second factor').getByRole('button', { name: 'Generate new codes' }).click()
  await dialog(page).getByRole('button', { name: 'Generate new codes' }).click()
  await expect(codes(page)).toHaveCount(10)
  await expectKept(page, 'Save the codes first. They are not shown again.')
  await expect(codes(page)).toHaveText(recovery_codes)
  await saveCodes(page)
  await page.goBack()
  await expect(heading(page)).toHaveText('Users')
})
