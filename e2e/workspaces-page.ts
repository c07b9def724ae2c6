import type { Locator, Page } from '@playwright/test'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { User } from '@watchdesk/contract/users'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { test as base, expect } from './test.ts'

export const PASSWORD = 'quiet river stone'
const QUOTA = { limit: 1000, balance: 250, renewal_date: '2027-01-01T00:00:00' }

/** Calls the API, with a path below /api/v1. */
export type Api = <Result>(
  method: string,
  path: string,
  data?: object,
  headers?: Record<string, string>,
) => Promise<Result>

type Fixtures = {
  /** Calls the API as the super admin who is signed in on every page. */
  api: Api
  make: Make
}

/** Creates records through the API. Names are unique, because the tests of a worker share a database. */
export type Make = {
  workspace: (fields?: object) => Promise<Workspace>
  user: (workspace_id: number, fields?: object) => Promise<User>
  dashboard: () => Promise<Dashboard>
}

export function apiOf({ request }: Page, url: string, token: string): Api {
  return async (method, path, data, more) => {
    const headers = { authorization: `Bearer ${token}`, ...more }
    const response = await request.fetch(`${url}/api/v1/${path}`, { method, headers, data })
    if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response.status() === 204 ? undefined : response.json()
  }
}

export function makeWith(api: Api): Make {
  return {
    workspace: (fields) =>
      api('POST', 'workspaces/', {
        name: unique('Baltic'),
        description: 'Regional newsroom',
        analytical_quota: QUOTA,
        ai_quota: QUOTA,
        ...fields,
      }),
    user: (workspace_id, fields) => {
      const last_name = unique('Shevchuk')
      const email = `${last_name.toLowerCase()}@example.com`
      return api('POST', 'users/', {
        ...{ first_name: 'Iryna', last_name, email, password: PASSWORD },
        ...{ workspace_id, is_admin: false, is_super_admin: false, type: 'STANDARD', language: '' },
        ...fields,
      })
    },
    dashboard: () => api('POST', 'powerbi_dashboards/', { name: unique('Reach'), embed_link: 'https://bi.example/1' }),
  }
}

export const test = base.extend<Fixtures>({
  isSignedIn: true,
  api: async ({ page, watchdesk }, use) => use(apiOf(page, watchdesk.url, await watchdesk.session.token())),
  make: ({ api }, use) => use(makeWith(api)),
})

let made = 0

/** A text that occurs nowhere else in the database. */
export function unique(word: string) {
  made += 1
  return `${word}${process.pid}x${made}`
}

export const heading = (page: Page) => page.getByRole('heading', { level: 1 })
export const rows = (page: Page) => page.getByRole('table').locator('tbody tr')
export const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
export const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
export const dialog = (page: Page) => page.getByRole('dialog')
export const toast = (page: Page) => page.locator('[data-kind]:not([data-leaving])')
export const field = (page: Page | Locator, label: string) => page.getByRole('textbox', { name: label, exact: true })
export const select = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true })
export const section = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`^${title}`) })
export const slider = (page: Page, label: string) => page.getByRole('slider', { name: label })
export const analytical = (page: Page) => page.getByRole('group', { name: 'Analytical quota' })
export const ai = (page: Page) => page.getByRole('group', { name: 'AI quota' })
export const options = (page: Page) => page.getByRole('listbox').getByRole('option')
/** The selected options of a multiple select. */
export const chosen = (page: Page, label: string) =>
  page.locator('.mantine-MultiSelect-root', { has: select(page, label) }).locator('.mantine-MultiSelect-pill')
/** The actions for the selected rows of a list. */
export const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
export const action = (page: Page, name: string) => button(bar(page), name)
export const filters = (page: Page) => page.getByRole('search', { name: 'Filters' })
export const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
export const found = (page: Page) => page.getByText(/^[\d,]+ workspaces?( found)?$/)

export async function addFilter(page: Page, ...choices: string[]) {
  await button(page, 'Add filter').click()
  for (const choice of choices) await filters(page).getByRole('button', { name: choice, exact: true }).click()
}

/** Selects all rows of the page. */
export async function selectAll(page: Page, count: number) {
  await expect(rows(page)).toHaveCount(count)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(bar(page)).toContainText(`${count} selected`)
}

export async function choose(page: Page, label: string, option: string) {
  await select(page, label).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

export async function fillQuota(quota: Locator, balance: string, limit: string, renewal: string) {
  await field(quota, 'Balance').fill(balance)
  await field(quota, 'Limit').fill(limit)
  await field(quota, 'Next renewal date').fill(renewal)
}

/** Expects the error below the field, visible and in its accessible description. */
export async function expectError(input: Locator, message: string) {
  await expect(input).toHaveAccessibleDescription(message)
  await expect(input).toHaveAttribute('aria-invalid', 'true')
}
