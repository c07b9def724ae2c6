import type { Page } from '@playwright/test'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import { expect } from './test.ts'
import { bar, button, dialog, row, test, toast } from './workspaces-page.ts'

const box = (page: Page, { name }: Dashboard) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })

test('selected dashboards are deleted, with the workspaces that show them, and restored', async ({ page, make }) => {
  const [first, second] = [await make.dashboard(), await make.dashboard()]
  await make.workspace({ powerbi_dashboards: [first.id] })
  await page.goto('/dashboards?columns=id,name,workspaces_count')
  await box(page, first).check()
  await box(page, second).check()
  await expect(bar(page)).toContainText('2 selected')
  await expect(bar(page).getByRole('button', { name: /Select all/ })).toHaveCount(0)
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('2 dashboards will be deleted.')
  await expect(dialog(page)).toContainText('1 workspace will no longer show them.')
  await button(page, 'Delete 2 dashboards').click()
  await expect(toast(page)).toContainText('Deleted 2 dashboards.')
  await expect(row(page, first.name)).toHaveCount(0)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).last()).toContainText('Undone: restored 2 dashboards.')
  await expect(row(page, first.name)).toHaveCount(1)
  await expect(row(page, first.name)).toContainText('1 workspace')
})
