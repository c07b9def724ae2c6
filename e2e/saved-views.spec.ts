import { expectAccessible } from './accessible.ts'
import { chips } from './activity-page.ts'
import { current, headings, save, view } from './saved-views-page.ts'
import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { button, rows, test, toast, unique } from './workspaces-page.ts'

test('a view keeps filters, order and columns, and is opened from the menu', async ({ page, make }) => {
  const name = unique('Kept')
  await make.workspace({ name: `${name} a`, status: 'INTERNAL' })
  await make.workspace({ name: `${name} b`, status: 'INTERNAL' })
  await page.goto(`/workspaces?search=${name}&status=INTERNAL&sort=-name&columns=name,status&page=1`)
  await expect(rows(page)).toHaveCount(2)
  await button(page, 'Views').click()
  await expect(page.getByText('Save the present filters, order and columns.')).toBeVisible()
  await save(page, name)
  await expect(toast(page)).toContainText(`View saved: ${name}`)
  await expect(current(page)).toHaveText(name)
  await expectAccessible(page)

  await page.goto('/workspaces')
  await button(page, 'Views').click()
  await view(page, name).click()
  await expect(page).toHaveURL(/search=.*status=INTERNAL.*sort=-name/)
  await expect(chips(page)).toHaveText(['Status: INTERNAL'])
  await expect(headings(page)).toHaveText(['View', 'Name', 'Status', 'Actions'])
  await expect(rows(page).first()).toContainText(`${name} b`)
  await expect(button(page, 'Views')).toBeFocused()
  await page.goto('/users')
  await button(page, 'Views').click()
  await expect(page.getByRole('link', { name: 'Never signed in' })).toBeVisible()
  await expect(view(page, name)).toHaveCount(0)
})

test('a view is renamed, replaced and deleted, and both can be undone', async ({ page, api, faults }) => {
  faults.allow(REFUSED)
  const [name, other] = [unique('View'), unique('Other')]
  await api('POST', 'saved_views/', { list: 'users', name, query: 'type=MODERATOR' })
  await api('POST', 'saved_views/', { list: 'users', name: other, query: '' })
  await page.goto('/users?role=admin')
  await button(page, 'Views').click()
  await button(page, `Rename ${name}`).click()
  const field = page.getByRole('textbox', { name: `New name of ${name}` })
  await field.fill(other)
  await button(page, 'Rename').click()
  await expect(field).toHaveAccessibleDescription('You already have a view with this name.')
  await field.fill(`${name} 2`)
  await page.keyboard.press('Enter')
  await expect(view(page, `${name} 2`)).toBeVisible()

  await button(page, `Replace ${name} 2`).click()
  await expect(current(page)).toHaveText(`${name} 2`)
  await expect(toast(page)).toContainText(`View replaced: ${name} 2`)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).filter({ hasText: `View restored: ${name} 2` })).toBeVisible()
  await button(page, 'Views').click()
  await expect(view(page, `${name} 2`)).toBeVisible()
  await expect(current(page)).toHaveCount(0)

  await button(page, `Delete ${name} 2`).click()
  await expect(view(page, `${name} 2`)).toHaveCount(0)
  await toast(page).filter({ hasText: 'View deleted' }).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).filter({ hasText: 'View restored' })).toBeVisible()
  await button(page, 'Views').click()
  await view(page, `${name} 2`).click()
  await expect(page).toHaveURL('/users?type=MODERATOR')
})
