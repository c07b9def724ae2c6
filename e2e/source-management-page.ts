import { expect, type Page } from '@playwright/test'

/** As long as the ids of online spreadsheets. */
export const SHEET_ID = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'

export const platform = (page: Page) => page.getByRole('combobox', { name: 'Platform' })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const red = (page: Page) => page.getByRole('main').getByRole('alert')
export const green = (page: Page) => page.getByRole('main').getByRole('status')
export const toSheet = (page: Page) => green(page).getByRole('link', { name: 'Open the sheet' })

export async function openPage(page: Page) {
  await page.goto('/source_management')
  // The fields move down when it appears.
  await expect(page.getByRole('link', { name: 'Earlier imports' })).toBeVisible()
}

export async function choose(page: Page, name: string) {
  await platform(page).click()
  await page.getByRole('option', { name, exact: true }).click()
}
