import type { Page } from '@playwright/test'
import { expect } from './test.ts'
import { button, field, section } from './workspaces-page.ts'

export const THRESHOLD = 'Narratives similarity threshold'

export const panel = (page: Page) => page.getByRole('group', { name: 'Try the threshold' })
export const count = (page: Page) => panel(page).getByRole('status')
export const nearest = (page: Page) =>
  panel(page).getByRole('list', { name: 'Most similar stories' }).getByRole('listitem')

/** In the form of a workspace. */
export async function openPanel(page: Page) {
  await section(page, 'Advanced configuration').click()
  await button(page, 'Try it').click()
  await expect(field(panel(page), 'Narrative id')).toBeFocused()
}

export async function compare(page: Page, narrative: number, text: string) {
  await field(panel(page), 'Narrative id').fill(String(narrative))
  await field(panel(page), 'Text').fill(text)
  await button(panel(page), 'Compare').click()
}
