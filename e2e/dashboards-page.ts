import type { Page } from '@playwright/test'

/** The workspaces that show the dashboard, below its form. */
export const section = (page: Page) => page.getByRole('region', { name: 'Workspaces' })
export const names = (page: Page) => section(page).getByRole('table').getByRole('link')

/** What the check says about the link of a dashboard. */
export const linkResult = (page: Page, { name }: { name: string }) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name, exact: true }) })
    .getByRole('cell')
    .nth(4)
