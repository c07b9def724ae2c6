import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { signInElsewhere, statusOf } from './account-page.ts'
import { PASSWORD, seed, unique } from './seed.ts'
import { makeSignInsOld, signInAgain as question, REFUSED, storedToken } from './session-page.ts'
import { expect, storeToken, test } from './test.ts'
import { button } from './users-page.ts'
import type { Watchdesk } from './watchdesk.ts'

const isAlive = async (page: Page, token: string) => (await statusOf(page, token)) === 200

/** A record in the bin, about to be deleted for good by someone who signed in an hour ago. */
async function deleteForGood(page: Page, watchdesk: Watchdesk) {
  const { workspace, token } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Dangerous'))
  const headers = { authorization: `Bearer ${token}` }
  await page.request.delete(`/api/v1/workspaces/${id}`, { headers })
  await makeSignInsOld(watchdesk)
  await page.goto(`/bin?search=${name}`)
  await page.getByRole('button', { name: `Delete ${name} for good` }).click()
  const dialog = page.getByRole('dialog', { name: `Delete ${name} for good?` })
  await dialog.getByRole('textbox').fill(name)
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  return { name, token }
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

test('someone who got another role is offered what it can do after signing in again, without a reload', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { workspace, user, patchUser } = await seed(page, watchdesk)
  const { id: workspace_id } = await workspace(unique('Promoted'))
  const { id, email } = await user(workspace_id, { is_auditor: true })
  await storeToken(page, watchdesk.url, await signInElsewhere(page, { email, password: PASSWORD }))
  await page.goto('/workspaces')
  await expect(button(page, 'Columns')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create' })).toHaveCount(0)
  await patchUser(id, { is_auditor: false, is_super_admin: true })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users', exact: true }).click()
  await expect(question(page)).toContainText('Your session has ended.')
  await question(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Create' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Select Iryna' }).first()).toBeVisible()
})

test('what waits is not done for another user, who signed in in another tab meanwhile', async ({
  page,
  context,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { workspace, user } = await seed(page, watchdesk)
  const { id: workspace_id } = await workspace(unique('Shared'))
  const { email, last_name } = await user(workspace_id, { is_super_admin: true })
  const theirs = await signInElsewhere(page, { email, password: PASSWORD })
  const { name } = await deleteForGood(page, watchdesk)
  await expect(question(page)).toBeVisible()
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()))
  await storeToken(await context.newPage(), watchdesk.url, theirs)
  await expect(page.getByRole('button', { name: `Iryna ${last_name}`, exact: true })).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  expect(calls).toEqual([])
  await page.goto(`/bin?search=${name}`)
  await expect(page.getByRole('button', { name: `Delete ${name} for good` })).toBeVisible()
})
