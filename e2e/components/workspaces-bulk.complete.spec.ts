import { previewWorkspacesChange } from '@watchdesk/contract/operations/changes'
import { expectAccessible } from '../accessible.ts'
import { button, dialog } from '../workspaces-page.ts'
import { aWorkspace } from './records.ts'
import { expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

test('axe finds nothing in the dialogs for many workspaces, which fit on a phone', async ({ page, backend, open }) => {
  keepWorkspaces(backend, aWorkspace())
  backend.refuse(previewWorkspacesChange, 409, 'Not now.')
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/workspaces')
  await page.getByRole('checkbox', { name: 'Select Baltic' }).check()
  for (const name of ['Status', 'Extend trial', 'Quotas', 'Roles and flags', 'Dashboards', 'Delete']) {
    await button(page, 'Actions').click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await expect(dialog(page)).toBeVisible()
    await expectAccessible(page)
    await button(page, 'Cancel').click()
    await expect(dialog(page)).toHaveCount(0)
  }
})
