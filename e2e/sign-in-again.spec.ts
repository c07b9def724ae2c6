import { expectAccessible } from './accessible.ts'
import { statusOf } from './account-page.ts'
import { makeSignInsOld, signInAgain as question, REFUSED, storedToken } from './session-page.ts'
import { expect } from './test.ts'
import { test } from './workspaces-page.ts'

test('a dangerous action asks to sign in again, and is done after that with a new session', async ({
  page,
  api,
  make,
  token,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { id, name } = await make.workspace()
  await api('DELETE', `workspaces/${id}`)
  await makeSignInsOld(watchdesk)
  await page.goto(`/bin?search=${name}`)
  await page.getByRole('button', { name: `Delete ${name} for good` }).click()
  const dialog = page.getByRole('dialog', { name: `Delete ${name} for good?` })
  await dialog.getByRole('textbox').fill(name)
  await dialog.getByRole('button', { name: 'Delete for good' }).click()

  await expect(question(page)).toContainText('To do this, confirm that it is you.')
  await expectAccessible(page)
  const field = question(page).getByLabel('Password', { exact: true })
  await expect(field).toBeFocused()
  await field.fill('wrong')
  await page.keyboard.press('Enter')
  await expect(question(page).getByRole('alert')).toBeVisible()
  expect(await statusOf(page, String(token))).toBe(200)
  await field.fill(watchdesk.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${name} deleted for good.`)).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  expect(await storedToken(page)).not.toBe(token)
  await expect.poll(() => statusOf(page, String(token))).toBe(401)
})
