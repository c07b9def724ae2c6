import type { User } from '@watchdesk/contract/users'
import { expect } from './test.ts'
import { button, dialog, heading, row, test, toast } from './workspaces-page.ts'

const nameOf = ({ first_name, last_name }: User) => `${first_name} ${last_name}`

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
