import type { Page } from '@playwright/test'
import { button, dialog } from './workspaces-page.ts'

/** The choice between two values of a field. */
export const question = (page: Page, label: string) =>
  dialog(page).getByRole('radiogroup', { name: label, exact: true })
export const save = (page: Page) => button(dialog(page), 'Save')
