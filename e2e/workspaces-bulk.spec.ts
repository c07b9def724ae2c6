import type { Workspace } from '@watchdesk/contract/workspaces'
import { expect } from './test.ts'
import { action, button, choose, dialog, rows, selectAll, test, toast, unique } from './workspaces-page.ts'

test('workspaces are deactivated, and deleted, with who loses access; a deletion is undone as a whole', async ({
  page,
  api,
  make,
}) => {
  const word = unique('Fleet')
  const made = [await make.workspace({ name: `${word} 0` }), await make.workspace({ name: `${word} 1` })]
  for (const { id } of made) await make.user(id)
  await page.goto(`/workspaces?search=${word}`)
  await selectAll(page, 2)
  await action(page, 'Status').click()
  await button(page, 'Preview').click()
  await expect(dialog(page).getByRole('combobox', { name: 'Status' })).toHaveAccessibleDescription('Choose a status.')
  await choose(page, 'Status', 'DEACTIVATED')
  await expect(dialog(page)).toContainText('Their users are signed out at once and cannot sign in. Nothing is deleted')
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('2 workspaces will be deactivated.')
  await expect(dialog(page)).toContainText('2 users cannot sign in until their workspace is active again.')
  await button(page, 'Change 2 workspaces').click()
  await expect(toast(page)).toContainText('Set the status of 2 workspaces to DEACTIVATED.')
  for (const { id } of made) expect((await api<Workspace>('GET', `workspaces/${id}`)).status).toBe('DEACTIVATED')

  await page.goto(`/workspaces?search=${word}`)
  await selectAll(page, 2)
  await action(page, 'Delete').click()
  await expect(dialog(page)).toHaveAccessibleName('Delete workspaces?')
  await expect(dialog(page)).toContainText(
    '2 workspaces will be deleted with all their users, who lose access immediately.',
  )
  await expect(dialog(page)).toContainText('2 users will be deleted with them.')
  await button(page, 'Delete 2 workspaces').click()
  await expect(toast(page)).toContainText('Deleted 2 workspaces.')
  await expect(page.getByRole('main')).toContainText('No workspaces match.')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).last()).toContainText('Undone: restored 2 workspaces with their users.')
  await expect(rows(page)).toHaveCount(2)
  const ids = made.map(({ id }) => id).join(',')
  expect(await api('GET', `users/?workspace_ids=${ids}`)).toMatchObject({ total: 2 })
})
