import type { Page } from '@playwright/test'

export const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
export const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
