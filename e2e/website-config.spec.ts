import type { Page } from '@playwright/test'
import type { WebsiteConfig } from '@watchdesk/contract/website-config'
import { importRows } from './sources-page.ts'
import { expect } from './test.ts'
import { button, field, test, toast, unique } from './workspaces-page.ts'

const CONFIG = 'config/website_config'
const SHEET = 'https://docs.google.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit'
const SAVED = 'Website config saved successfully!'

test.beforeEach(async ({ api }) => {
  await api('PATCH', CONFIG, { default_case_types: '["fraud","crisis"]', sources_sheet_vk: '' })
})

const caseTypes = (page: Page) => page.getByRole('combobox', { name: 'Default case types' })

test('sends the form values with If-Match, confirms, and continues from the saved values', async ({ page, api }) => {
  const before = await api<WebsiteConfig>('GET', CONFIG)
  await page.goto('/website_config')
  await expect(page.getByText('fraud', { exact: true })).toBeVisible()
  await caseTypes(page).fill('sp')
  await page.getByRole('option', { name: 'spam' }).click()
  await page.keyboard.press('Escape')
  await field(page, 'VK sources').fill(SHEET)
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  const request = page.waitForRequest((sent) => sent.method() === 'PATCH')
  await button(page, 'Save').click()
  const expected = { ...before, default_case_types: '["fraud","crisis","spam"]', sources_sheet_vk: SHEET }
  expect((await request).postDataJSON()).toEqual(expected)
  expect((await request).headers()['if-match']).toMatch(/^"\d+"$/)
  await expect(toast(page)).toHaveText(SAVED)
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await expect(page).toHaveURL('/website_config')
  expect(await api('GET', CONFIG)).toEqual(expected)

  // One of our own sheets, as copied from the address bar.
  const own = await importRows(api, [{ source_url: `https://t.me/${unique('sheet')}` }])
  await field(page, 'VK sources').fill(new URL(own, page.url()).href)
  await expect(field(page, 'VK sources')).toHaveValue(own)
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.keyboard.press('Enter')
  expect((await saved).ok()).toBe(true)
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  expect(await api('GET', CONFIG)).toEqual({ ...expected, sources_sheet_vk: own })

  // The form does not report its own newer version.
  await expect(page.getByText('Last changed by Super Admin, just now')).toBeVisible()
  await expect(page.getByText('newer version')).toHaveCount(0)
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page).toHaveURL('/users')
})
