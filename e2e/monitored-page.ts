import type { Page } from '@playwright/test'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import type { FoundAddresses } from '@watchdesk/contract/sources'
import { expect } from './test.ts'
import { type Api, button, dialog, field, heading } from './workspaces-page.ts'

/** Imports sources as the super admin: each is a handle on Telegram, or a whole address, with its country. */
export async function addSources(api: Api, sources: Record<string, string>) {
  const { email } = await api<{ email: string }>('GET', 'users/me')
  const sheet_records = Object.entries(sources).map(([handle, source_country]) => ({
    source_url: handle.includes('/') ? handle : `https://t.me/${handle}`,
    ...(source_country !== '' && { source_country }),
  }))
  const body = { email, sheet_url: null, sheet_records }
  const { import_id } = await api<SourceImportResult>('POST', 'source_import/sources', body)
  return import_id ?? 0
}

/** The id of a source by its address. */
export async function idOf(api: Api, address: string) {
  const { objects } = await api<FoundAddresses>('POST', 'sources/find', { addresses: [address] })
  return objects[0]?.source?.id ?? 0
}

export async function openSources(page: Page, search: Record<string, string> = {}) {
  const params = new URLSearchParams(search).toString()
  await page.goto(`/sources${params && `?${params}`}`)
  await expect(heading(page)).toHaveText('Sources')
}

export const addresses = (page: Page) =>
  page.getByRole('table', { name: 'Sources' }).locator('tbody tr td a[target=_blank]')
export const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
export const box = (page: Page, handle: string) =>
  page.getByRole('checkbox', { name: `Select https://t.me/${handle}`, exact: true })
export const filters = (page: Page) => page.getByRole('search', { name: 'Filters' })
export const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
export const count = (page: Page) => page.getByRole('main').getByRole('status').first()

/** Chooses an option of a filter that is not set yet. */
export async function addFilter(page: Page, filter: string, option: string) {
  await filters(page).getByRole('button', { name: 'Add filter' }).click()
  await filters(page).getByRole('button', { name: filter, exact: true }).click()
  await filters(page).getByRole('combobox', { name: filter }).fill(option)
  await filters(page).getByRole('option', { name: option, exact: true }).click()
}

/** Sets the country of the two sources that are selected. */
export async function setCountryOfTwo(page: Page, typed: string) {
  await bar(page).getByRole('button', { name: 'Set country' }).click()
  await dialog(page).getByRole('combobox', { name: 'Country' }).fill(typed)
  await page.keyboard.press('Enter')
  await button(page, 'Set the country of 2 sources').click()
}

/** The chip of a group of addresses that were looked up. */
export const resultChip = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Filter by result' }).getByRole('button', { name })

export async function find(page: Page, text: string) {
  await field(page, 'Addresses').fill(text)
  await button(page, 'Find').click()
}
