import { expect, storeToken } from './test.ts'
import { button, dialog, heading, PASSWORD, row, rows, test, toast, unique } from './workspaces-page.ts'

const PROMPT = 'Are you sure you want to delete this workspace?'
const REMOVED = 'Workspace removed successfully!'

test('page, search and sort are in the address; reload and back keep them', async ({ page, make }) => {
  const word = unique('harbor')
  for (let index = 10; index < 31; index += 1) await make.workspace({ name: `${word} ${index}` })
  await page.goto('/workspaces')
  await page.getByRole('searchbox', { name: 'Search name or description' }).fill(word)
  await expect(page).toHaveURL(`/workspaces?search=${word}`)
  await expect(page.getByText('21 workspaces')).toBeVisible()
  await expect(rows(page)).toHaveCount(20)
  await page.getByRole('button', { name: 'Name' }).click()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('button', { name: 'Name' }).click()
  await expect(rows(page).first()).toContainText(`${word} 30`)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(rows(page)).toHaveText([new RegExp(`${word} 10`)])
  await page.reload()
  await expect(rows(page)).toHaveText([new RegExp(`${word} 10`)])
  await page.goBack()
  await expect(rows(page)).toHaveCount(20)
  await page.getByRole('searchbox').fill(unique('nothing'))
  await expect(page.getByText('No workspaces match.')).toBeVisible()
  await button(page, 'Show all workspaces').click()
  await expect(page).toHaveURL(/^[^?]*\/workspaces(\?sort=-name)?$/)
})

test('the prompt counts who loses access; Undo brings back the workspace and its users', async ({ page, make }) => {
  const { id, name } = await make.workspace()
  for (let index = 0; index < 3; index += 1) await make.user(id)
  await page.goto(`/workspaces?search=${name}`)
  await button(page, `Delete ${name}`).click()
  await expect(dialog(page)).toHaveAccessibleName(PROMPT)
  await expect(dialog(page)).toContainText(`This deletes ${name} and its 3 users, who lose access immediately.`)
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
  await page.goto(`/workspaces/${id}`)
  await expect(rows(page)).toHaveCount(3)
})

test('a workspace admin sees its own workspace, no filters, and no way to create, edit or delete one', async ({
  page,
  watchdesk,
  make,
}) => {
  const { id, name } = await make.workspace()
  await make.workspace()
  const { email } = await make.user(id, { is_admin: true })
  const response = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  const { access_token } = await response.json()
  await storeToken(page, watchdesk.url, access_token)
  await page.goto('/workspaces')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByText('1 workspace', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Iryna' })).toBeVisible()
  await expect(button(page, 'Columns')).toBeVisible()
  await expect(button(page, 'Add filter')).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^(Edit|Create)/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  await page.getByRole('link', { name: `View ${name}` }).click()
  await expect(heading(page)).toHaveText(name)
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Create user' })).toBeVisible()
})
