import type { Page } from '@playwright/test'
import { button, field } from './workspaces-page.ts'

export const chip = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Filter by result' }).getByRole('button', { name })
export const main = (page: Page) => page.getByRole('main')

export async function find(page: Page, text: string) {
  await field(page, 'Addresses').fill(text)
  await button(page, 'Find').click()
}
