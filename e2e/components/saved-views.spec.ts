import { currentUser } from '@watchdesk/contract/auth/session'
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  type SavedView,
  updateSavedView,
} from '@watchdesk/contract/saved-views'
import { getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { expectAccessible } from '../accessible.ts'
import { chips } from '../activity-page.ts'
import { current, headings, save, view } from '../saved-views-page.ts'
import { button, toast } from '../workspaces-page.ts'
import { type Backend, Refusal } from './backend.ts'
import { aWorkspace, ME } from './records.ts'
import { answerList, expect, test } from './test.ts'

function answerViews(backend: Backend, ...views: SavedView[]) {
  const taken = new Refusal(409, 'You already have a view with this name.')
  const find = (wanted?: string) => views.find(({ name }) => name === wanted)
  backend.answer(listSavedViews, ({ query }) => ({ objects: views.filter(({ list }) => list === query.list) }))
  backend.answer(createSavedView, ({ body }) => {
    if (find(body.name)) return taken
    views.push(body)
    return body
  })
  backend.answer(updateSavedView, ({ body }) =>
    Object.assign(find(body.name) as SavedView, {
      name: body.new_name ?? body.name,
      ...(body.query !== undefined && { query: body.query }),
    }),
  )
  backend.answer(deleteSavedView, ({ query }) => {
    views.splice(views.indexOf(find(query.name) as SavedView), 1)
    return undefined
  })
}

test.beforeEach(({ backend }) => backend.answer(currentUser, { ...ME, columns: {} }))

test('the panel keeps the focus when a view is saved, renamed and deleted', async ({ page, backend, open }) => {
  answerViews(backend, { list: 'users', name: 'Focus 0', query: '' })
  await open('/users?type=STANDARD')
  const panel = page.getByRole('dialog', { name: 'Views' })
  const field = panel.getByRole('textbox', { name: 'Name of the view' })
  const closes = async () => {
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(button(page, 'Views')).toBeFocused()
    await button(page, 'Views').click()
  }
  await button(page, 'Views').click()
  await field.fill('Focus 0')
  await button(page, 'Save view').click()
  await expect(field).toHaveAccessibleDescription('You already have a view with this name.')
  await expect(field).toBeFocused()
  await save(page, 'Focus')
  await expectAccessible(page)
  await closes()
  await button(page, 'Rename Focus').click()
  await panel.getByRole('textbox', { name: 'New name of Focus' }).fill('Focus 2')
  await button(page, 'Rename').click()
  await expect(view(page, 'Focus 2')).toBeVisible()
  await closes()
  await button(page, 'Delete Focus 2').click()
  await expect(view(page, 'Focus 2')).toHaveCount(0)
  await closes()
})

test('the link of a view shows it to others, with other columns of their own, and after it is gone', async ({
  page,
  backend,
  open,
  context,
}) => {
  answerList(
    backend,
    listWorkspaces,
    [aWorkspace({ status: 'TRIAL', trial_end_date: '2027-01-31T00:00:00' })],
    getWorkspace,
  )
  answerViews(backend)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open('/workspaces?status=TRIAL&columns=id,trial_end_date')
  await button(page, 'Views').click()
  await save(page, 'Shared')
  await button(page, 'Copy link to Shared').click()
  await expect(page.getByRole('status').filter({ hasText: 'Link copied.' })).toBeAttached()
  const link = await page.evaluate(() => navigator.clipboard.readText())

  answerViews(backend)
  await open('/workspaces')
  await expect(chips(page)).toHaveCount(0)
  await open(link.slice(new URL(link).origin.length))
  await expect(chips(page)).toHaveText(['Status: TRIAL'])
  await expect(headings(page)).toHaveText(['View', 'ID', 'Trial end', 'Actions'])
})

test('a view is replaced and deleted, and both can be undone; on a phone it fits', async ({ page, backend, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  answerViews(backend, { list: 'users', name: 'Phone', query: 'type=MODERATOR' })
  await open('/users?type=STANDARD')
  await button(page, 'Views').click()
  await button(page, 'Replace Phone').click()
  await expect(toast(page)).toContainText('View replaced: Phone')
  await expect(current(page)).toHaveText('Phone')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).filter({ hasText: 'View restored: Phone' })).toBeVisible()
  await button(page, 'Views').click()
  await expect(view(page, 'Phone')).toBeVisible()
  await expect(current(page)).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

  await button(page, 'Delete Phone').click()
  await expect(view(page, 'Phone')).toHaveCount(0)
  await toast(page).filter({ hasText: 'View deleted' }).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).filter({ hasText: 'View restored' }).last()).toBeVisible()
  await button(page, 'Views').click()
  await view(page, 'Phone').click()
  await expect(chips(page)).toHaveText(['Type: MODERATOR'])
})
