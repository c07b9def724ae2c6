import { chips } from './activity-page.ts'
import { current, headings, save, view } from './saved-views-page.ts'
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

  await page.goto('/workspaces')
  await button(page, 'Views').click()
  await view(page, name).click()
  await expect(page).toHaveURL(/search=.*status=INTERNAL.*sort=-name/)
  await expect(chips(page)).toHaveText(['Status: INTERNAL'])
  await expect(headings(page)).toHaveText(['View', 'Name', 'Status', 'Actions'])
  await expect(rows(page).first()).toContainText(`${name} b`)
  await expect(button(page, 'Views')).toBeFocused()
})
