import { expect } from './test.ts'
import { button, dialog, heading, row, rows, test, toast } from './workspaces-page.ts'

const PROMPT = 'Are you sure you want to delete this workspace?'
const REMOVED = 'Workspace removed successfully!'

test('the prompt counts who loses access; Undo brings back the workspace and its users', async ({ page, make }) => {
  const { id, name } = await make.workspace()
  for (let index = 0; index < 2; index += 1) await make.user(id)
  await page.goto(`/workspaces?search=${name}`)
  await button(page, `Delete ${name}`).click()
  await expect(dialog(page)).toHaveAccessibleName(PROMPT)
  await expect(dialog(page)).toContainText(`This deletes ${name} and its 2 users, who lose access immediately.`)
  await button(page, 'Cancel').click()
  await expect(row(page, name)).toBeVisible()

  await button(page, `Delete ${name}`).click()
  await button(dialog(page), 'Delete').click()
  await expect(toast(page)).toContainText(REMOVED)
  await expect(row(page, name)).toHaveCount(0)
  await expect(heading(page)).toBeFocused()
  await button(page, 'Undo').click()
  await expect(toast(page).filter({ hasText: 'restored' })).toHaveText(`Workspace ${name} restored.`)
  await expect(row(page, name)).toBeVisible()
  await row(page, name).getByRole('link', { name, exact: true }).click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  await expect(rows(page)).toHaveCount(2)
})
