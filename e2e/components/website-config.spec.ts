import type { Page } from '@playwright/test'
import * as catalog from '@watchdesk/contract/catalog'
import { getWebsiteConfig, updateWebsiteConfig, type WebsiteConfig } from '@watchdesk/contract/website-config'
import { button, field, select, toast } from '../workspaces-page.ts'
import type { Backend } from './backend.ts'
import { expect, test } from './test.ts'
import { answerConfig } from './website-config.ts'

const SHEET = 'https://docs.google.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit'
const SAVED = 'Website config saved successfully!'
const CASE_TYPES = ['fraud', 'crisis', 'spam']

const caseTypes = (page: Page) => select(page, 'Default case types')
const model = (page: Page) => select(page, 'Default stories vectors model')
const sent = (backend: Backend) => backend.calls(updateWebsiteConfig).map(({ body }) => body)

test.describe('on our backend', () => {
  let config: WebsiteConfig

  test.beforeEach(async ({ backend, open }) => {
    backend.answer(catalog.caseTypes, CASE_TYPES)
    config = answerConfig(backend, {
      default_case_types: '["fraud","crisis"]',
      default_stories_vectors_model: 'small',
      sources_sheet_youtube: SHEET,
    })
    await open('/website_config')
  })

  test('has a field for every key of the config, with the key next to its label', async ({ page }) => {
    await expect(page).toHaveTitle('Website config · Watchdesk')
    await expect(page.getByText(`${Object.keys(config).length} product-wide settings`)).toBeVisible()
    for (const key of Object.keys(config)) {
      const input = page.locator(`[data-path="${key}"]`)
      await expect(input).toBeVisible()
      await expect(input).toHaveAccessibleDescription(key)
    }
    await expect(field(page, 'YouTube sources')).toHaveValue(SHEET)
    await expect(model(page)).toHaveValue('Small')
    await model(page).click()
    await expect(page.getByRole('option')).toHaveText(['Small', 'Large'])
  })

  test('case types are removed and typed as tags; one that is typed without Enter is saved too', async ({
    page,
    backend,
  }) => {
    await caseTypes(page).press('Backspace')
    await caseTypes(page).fill('crisis')
    await caseTypes(page).press('Enter')
    await caseTypes(page).press('Escape')
    await caseTypes(page).fill('spam')
    await caseTypes(page).evaluate((input: HTMLInputElement) => input.form?.requestSubmit())
    await expect(toast(page)).toHaveText(SAVED)
    expect(sent(backend)).toMatchObject([{ default_case_types: '["fraud","crisis","spam"]' }])
    await expect(page.getByText('spam', { exact: true })).toBeVisible()
    await expect(caseTypes(page)).toHaveValue('')
    await caseTypes(page).press('Backspace')
    await caseTypes(page).fill('spam')
    await button(page, 'Save').click()
    await expect(page.getByText('Unsaved changes')).toHaveCount(0)
    await expect(page.getByText('spam', { exact: true })).toBeVisible()
  })

  test('an unknown case type is marked at its field with the known ones; a server error is a toast', async ({
    page,
    backend,
  }) => {
    const loc = ['body', 'default_case_types']
    backend.refuse(updateWebsiteConfig, 422, [{ loc, msg: 'gossip is not a case type.', type: 'value_error' }])
    await caseTypes(page).fill('gossip')
    await caseTypes(page).press('Enter')
    await caseTypes(page).press('Escape')
    const mark = `gossip is not a case type. Choose from: ${CASE_TYPES.join(', ')}.`
    await expect(caseTypes(page)).toHaveAccessibleDescription(new RegExp(mark))
    await expect(caseTypes(page)).toHaveAttribute('aria-invalid', 'true')
    await button(page, 'Save').click()
    await expect(toast(page)).toHaveText('gossip is not a case type.')
    await expect(caseTypes(page)).toHaveAccessibleDescription(new RegExp(mark))
    await expect(caseTypes(page)).toBeFocused()
    await expect(page.getByText('gossip', { exact: true })).toBeVisible()
  })

  test('a wrong text gets an error before anything is sent, in place of the former message; leaving asks first', async ({
    page,
    backend,
  }) => {
    await field(page, 'VK sources').fill(SHEET)
    await button(page, 'Save').click()
    await expect(toast(page)).toHaveText(SAVED)
    // It stays open on hover.
    await toast(page).hover()
    for (const [text, message] of [
      ['our sheet', /Enter the URL of a Google sheet/],
      ['x'.repeat(2_001), /At most 2,000 characters\./],
    ] as const) {
      await field(page, 'VK sources').fill(text)
      await page.keyboard.press('Enter')
      await expect(field(page, 'VK sources')).toHaveAccessibleDescription(message)
      await expect(field(page, 'VK sources')).toBeFocused()
    }
    await expect(toast(page)).toHaveCount(0)
    expect(sent(backend)).toHaveLength(1)
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  })
})

test.describe('on another backend', () => {
  test('unknown keys are text fields too, and untouched values are sent unchanged', async ({ page, backend, open }) => {
    const values = { default_case_types: 'broken', 'site.title': 'News', retries: 3, banner: null }
    backend.answer(catalog.vectorizationModels, { Small: 'm-1', Tiny: 'm-1', Large: 'm-2' })
    backend.refuse(catalog.caseTypes, 404, 'Not Found')
    backend.raw(updateWebsiteConfig, 200, null)
    backend.refuse(getWebsiteConfig, 400, 'Not now.')
    await open('/website_config')
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Not now.')
    backend.raw(getWebsiteConfig, 200, values)
    await button(page, 'Try again').click()
    await expect(field(page, 'Site title')).toHaveValue('News')
    await expect(field(page, 'Site title')).toHaveAccessibleDescription('site.title')
    await expect(field(page, 'Retries')).toHaveValue('3')
    await expect(field(page, 'Banner')).toHaveValue('')
    await expect(field(page, 'Default case types')).toHaveValue('broken')

    await field(page, 'Site title').fill('Fresh news')
    await button(page, 'Save').click()
    const message = /Must be a JSON list of different texts/
    await expect(field(page, 'Default case types')).toHaveAccessibleDescription(message)
    await field(page, 'Default case types').fill('["a"]')
    await model(page).click()
    await page.getByRole('option', { name: 'Large' }).click()
    await button(page, 'Save').click()
    await expect(toast(page)).toHaveText(SAVED)
    expect(sent(backend)).toEqual([
      {
        default_case_types: '["a"]',
        default_stories_vectors_model: 'm-2',
        'site.title': 'Fresh news',
        retries: 3,
      },
    ])
  })
})
