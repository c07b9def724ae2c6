import { expect, type Page } from '@playwright/test'
import { downloadFile } from './sources-page.ts'

export const text = (page: Page) => page.getByRole('textbox', { name: 'Emails and names' })
export const preview = (page: Page) => page.getByRole('grid', { name: 'People to add' })
export const line = (page: Page, words: string) => preview(page).getByRole('row').filter({ hasText: words })
export const chip = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Filter by outcome' }).getByRole('button', { name, exact: true })
export const added = (page: Page, words: string) => expect(page.getByRole('heading', { level: 2 })).toHaveText(words)

export async function download(page: Page, format: 'CSV' | 'XLSX') {
  const { name, content } = await downloadFile(page, `Download result as ${format}`)
  expect(name).toMatch(new RegExp(`^new-users-with-passwords-\\d{4}-\\d{2}-\\d{2}\\.${format.toLowerCase()}$`))
  return content
}
