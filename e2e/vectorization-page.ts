import type { Page } from '@playwright/test'

export const trigger = (page: Page) => page.getByRole('form', { name: 'Trigger vectorization' })
export const status = (page: Page) => page.getByRole('form', { name: 'Get vectorization status' })
/** By its text, because the loader is a status too. */
export const shownStatus = (page: Page) => status(page).getByRole('status').filter({ hasText: 'Status' })
export const narrativeId = (page: Page) => trigger(page).getByRole('textbox', { name: 'Narrative id' })
export const executionDate = (page: Page) => status(page).getByRole('textbox', { name: 'Execution date' })
export const triggerButton = (page: Page) => trigger(page).getByRole('button', { name: 'Trigger vectorization' })
export const statusButton = (page: Page) => status(page).getByRole('button', { name: 'Get status' })
export const runs = (page: Page) => page.getByRole('table', { name: 'Recent runs' })
export const runOf = (page: Page, narrative: number) =>
  runs(page)
    .locator('tbody tr')
    .filter({ has: page.getByRole('cell', { name: String(narrative), exact: true }) })

export async function choose(page: Page, label: string, options: string[]) {
  await page.getByRole('combobox', { name: label }).click()
  for (const name of options) await page.getByRole('option', { name, exact: true }).click()
  await page.keyboard.press('Escape')
}
