import type { Page } from '@playwright/test'
import type { User } from '@watchdesk/contract/users'
import { expect, storeToken } from './test.ts'
import { button, dialog, heading, PASSWORD, row, rows, test, toast } from './workspaces-page.ts'

const nameOf = ({ first_name, last_name }: User) => `${first_name} ${last_name}`

async function openBin(page: Page, search = '') {
  await page.goto(`/bin${search && `?search=${encodeURIComponent(search)}`}`)
  await expect(heading(page)).toHaveText('Bin')
}

test('a deleted user is found in the bin after a reload, and restored', async ({ page, make }) => {
  const workspace = await make.workspace()
  const user = await make.user(workspace.id)
  await page.goto(`/users?search=${user.last_name}`)
  await button(page, `Delete ${nameOf(user)}`).click()
  await expect(dialog(page)).toContainText('You can undo this for 30 days, in the Bin.')
  await button(dialog(page), 'Delete').click()
  await expect(toast(page)).toContainText('User removed successfully!')
  await page.reload()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bin', exact: true }).click()
  await expect(page).toHaveURL('/bin')
  const deleted = row(page, nameOf(user))
  for (const text of ['User', user.email, workspace.name, 'Super Admin', 'in 30 days'])
    await expect(deleted).toContainText(text)
  await button(page, `Restore ${nameOf(user)}`).click()
  await expect(toast(page)).toContainText(`${nameOf(user)} restored.`)
  await expect(deleted).toHaveCount(0)
  await expect(heading(page)).toBeFocused()
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page).toHaveURL(`/users/${user.id}/edit`)
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(user.email)
})

test('a workspace returns with exactly the users that were deleted with it, and a user is deleted for good', async ({
  page,
  api,
  make,
}) => {
  const workspace = await make.workspace()
  const [before, along] = [await make.user(workspace.id), await make.user(workspace.id)]
  await api('DELETE', `users/${before.id}`)
  await api('DELETE', `workspaces/${workspace.id}`)
  await openBin(page)
  await expect(row(page, workspace.name).filter({ hasText: 'With 1 user' })).toBeVisible()
  await expect(row(page, nameOf(along))).toHaveCount(0)
  await expect(row(page, nameOf(before))).toContainText('Their workspace is deleted. Restore the workspace first.')
  await expect(button(page, `Restore ${nameOf(before)}`)).toBeDisabled()
  await button(page, `Restore ${workspace.name}`).click()
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(heading(page)).toHaveText(workspace.name)
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText(nameOf(along))
  await openBin(page, before.last_name)
  await expect(button(page, `Restore ${nameOf(before)}`)).toBeEnabled()

  await button(page, `Delete ${nameOf(before)} for good`).click()
  await dialog(page).getByRole('textbox').fill(nameOf(before))
  await button(dialog(page), 'Delete for good').click()
  await expect(toast(page)).toContainText(`${nameOf(before)} deleted for good.`)
  await expect(page.getByText('No deleted records match.')).toBeVisible()
})

test('a user whose email is taken is restored under another email', async ({ page, api, make, faults }) => {
  faults.allow(/status of 409/)
  const workspace = await make.workspace()
  const user = await make.user(workspace.id)
  await api('DELETE', `users/${user.id}`)
  const holder = await make.user(workspace.id, { email: user.email, first_name: 'Olha' })
  await openBin(page, user.last_name)
  await expect(row(page, nameOf(user))).toContainText(`${nameOf(holder)} now has the email ${user.email}.`)
  await button(page, `Restore ${nameOf(user)}`).click()
  await expect(dialog(page)).toHaveAccessibleName(`Restore ${nameOf(user)} with another email`)
  const email = dialog(page).getByRole('textbox', { name: 'Email' })
  await expect(email).toBeFocused()
  await email.fill('nobody')
  await email.press('Enter')
  await expect(email).toHaveAccessibleDescription('Email must be a valid email address.')
  await email.fill(user.email)
  await email.press('Enter')
  await expect(email).toHaveAccessibleDescription('A user with this email already exists.')
  await email.fill(`new.${user.email}`)
  await email.press('Enter')
  await expect(toast(page)).toContainText(`${nameOf(user)} restored.`)
  expect((await api<User>('GET', `users/${user.id}`)).email).toBe(`new.${user.email}`)
})

test('workspace admins see and restore what they deleted, and delete nothing for good', async ({
  page,
  api,
  make,
  watchdesk,
}) => {
  const workspace = await make.workspace()
  const admin = await make.user(workspace.id, { is_admin: true })
  const [own, bySuper] = [await make.user(workspace.id), await make.user(workspace.id)]
  const foreign = await make.user((await make.workspace()).id)
  await api('DELETE', `users/${bySuper.id}`)
  await api('DELETE', `users/${foreign.id}`)
  const login = await page.request.post('/api/v1/login', { data: { email: admin.email, password: PASSWORD } })
  const { access_token } = await login.json()
  await storeToken(page, watchdesk.url, access_token)
  await page.request.delete(`/api/v1/users/${own.id}`, { headers: { authorization: `Bearer ${access_token}` } })

  await openBin(page)
  await expect(rows(page)).toHaveCount(2)
  await expect(row(page, nameOf(bySuper))).toContainText('Only a super admin can restore this user.')
  await expect(button(page, `Restore ${nameOf(bySuper)}`)).toBeDisabled()
  await expect(page.getByRole('button', { name: /for good/ })).toHaveCount(0)
  await button(page, `Restore ${nameOf(own)}`).click()
  await expect(toast(page)).toContainText(`${nameOf(own)} restored.`)
})
