import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { runSql } from './database.ts'
import { seed, unique } from './seed.ts'
import { REFUSED, storedToken } from './session-page.ts'
import { expect, test } from './test.ts'
import type { Watchdesk } from './watchdesk.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })
const isAlive = async (page: Page, token: string) => {
  const response = await page.request.get('/api/v1/users/me', { headers: { authorization: `Bearer ${token}` } })
  return response.ok()
}

/** A record in the bin, about to be deleted for good by someone who signed in an hour ago. */
async function deleteForGood(page: Page, watchdesk: Watchdesk) {
  const { workspace, token } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Dangerous'))
  const headers = { authorization: `Bearer ${token}` }
  await page.request.delete(`/api/v1/workspaces/${id}`, { headers })
  await runSql(watchdesk, "update sessions set proved_at = now() - interval '1 hour'", [])
  await page.goto(`/bin?search=${name}`)
  await page.getByRole('button', { name: `Delete ${name} for good` }).click()
  const dialog = page.getByRole('dialog', { name: `Delete ${name} for good?` })
  await dialog.getByRole('textbox').fill(name)
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  return { name, token, dialog }
}

test('a dangerous action asks to sign in again, and is done after that with a new session', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { name, token } = await deleteForGood(page, watchdesk)
  await expect(question(page)).toContainText('To do this, confirm that it is you.')
  await expectAccessible(page)
  const field = question(page).getByLabel('Password', { exact: true })
  await expect(field).toBeFocused()
  await field.fill('wrong')
  await page.keyboard.press('Enter')
  await expect(question(page).getByRole('alert')).toBeVisible()
  expect(await isAlive(page, token)).toBe(true)
  await field.fill(watchdesk.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${name} deleted for good.`)).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  expect(await storedToken(page)).not.toBe(token)
  await expect.poll(() => isAlive(page, token)).toBe(false)
})

test('cancelling does nothing and loses nothing, and the action can be tried again', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { name, token, dialog } = await deleteForGood(page, watchdesk)
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(question(page)).toHaveCount(0)
  await expect(page.getByText(/Sign in again to do this/)).toBeVisible()
  await expect(dialog.getByRole('textbox')).toHaveValue(name)
  expect(await storedToken(page)).toBe(token)
  expect(await isAlive(page, token)).toBe(true)

  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(question(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(dialog).toBeVisible()
})
