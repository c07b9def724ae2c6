import type { Page } from '@playwright/test'

/** The lines of the events, newest first. */
export const lines = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('paragraph')
    .filter({ has: page.locator('strong') })
export const details = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const changes = (page: Page) => page.getByRole('table', { name: 'Changes' })
export const searchBox = (page: Page) => page.getByRole('searchbox')
export const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
