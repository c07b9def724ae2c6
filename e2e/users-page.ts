import { expect, type Page } from '@playwright/test'

export const heading = (page: Page) => page.getByRole('heading', { level: 1 })
export const rows = (page: Page) => page.getByRole('table', { name: 'Users' }).locator('tbody tr')
export const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
export const search = (page: Page) => page.getByRole('searchbox', { name: 'Search name or email' })
export const dialog = (page: Page) => page.getByRole('dialog')
export const toast = (page: Page) => page.getByRole('alert')
export const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
export const select = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true })
export const toggle = (page: Page, label: string) => page.getByRole('switch', { name: new RegExp(`^${label}`) })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export async function choose(page: Page, label: string, option: string) {
  await select(page, label).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** By its name, because the open list has the first workspaces only. */
export async function chooseWorkspace(page: Page, name: string) {
  await select(page, 'Workspace').fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}

/** Expects the error below the field, visible and in its accessible description. */
export async function expectError(page: Page, label: string, message: string) {
  const input = field(page, label).or(select(page, label))
  await expect(input).toHaveAccessibleDescription(message)
  await expect(input).toHaveAttribute('aria-invalid', 'true')
}

export async function fillPerson(page: Page, person: { first: string; last: string; email: string }) {
  await field(page, 'First name').fill(person.first)
  await field(page, 'Last name').fill(person.last)
  await field(page, 'Email').fill(person.email)
}
