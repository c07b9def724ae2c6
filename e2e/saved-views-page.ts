import { expect, type Page } from '@playwright/test'
import { button } from './workspaces-page.ts'

const own = (page: Page) => page.getByRole('list', { name: 'Your views' })
export const view = (page: Page, name: string) => own(page).getByRole('link', { name, exact: true })
export const current = (page: Page) => own(page).locator('[aria-current=true]')
export const headings = (page: Page) => page.getByRole('columnheader')

export async function save(page: Page, name: string) {
  await page.getByRole('textbox', { name: 'Name of the view' }).fill(name)
  await button(page, 'Save view').click()
  await expect(view(page, name)).toBeVisible()
}
