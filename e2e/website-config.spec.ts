import type { Page } from '@playwright/test'
import type { WebsiteConfig } from '@watchdesk/contract/website-config'
import { unique } from './seed.ts'
import { BROKEN, REFUSED } from './session-page.ts'
import { test } from './signed-in.ts'
import { importRows } from './sources-page.ts'
import { expect, storeToken } from './test.ts'

const CONFIG = '/api/v1/config/website_config'
const MODELS = '/api/v1/config/vectorization_models'
const SHEET = 'https://docs.google.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit'
const SAVED = 'Website config saved successfully!'

test.beforeEach(async ({ api }) => {
  await api('PATCH', CONFIG, { default_case_types: '["fraud","crisis"]', sources_sheet_vk: '' })
})

const caseTypes = (page: Page) => page.getByRole('combobox', { name: 'Default case types' })
const model = (page: Page) => page.getByRole('combobox', { name: 'Default stories vectors model' })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const toast = (page: Page) => page.locator('[data-kind]')

test('has a field for every key of the config, with the key next to its label', async ({ page, api }) => {
  const config = await api<WebsiteConfig>('GET', CONFIG)
  await page.goto('/website_config')
  await expect(page).toHaveTitle('Website config · Watchdesk')
  await expect(page.getByText(`${Object.keys(config).length} product-wide settings`)).toBeVisible()
  for (const key of Object.keys(config)) {
    const input = page.locator(`[data-path="${key}"]`)
    await expect(input).toBeVisible()
    await expect(input).toHaveAccessibleDescription(key)
  }
  await expect(field(page, 'YouTube sources')).toHaveValue(config.sources_sheet_youtube)
  const models = await api<Record<string, string>>('GET', MODELS)
  const label = Object.entries(models).find(([, value]) => value === config.default_stories_vectors_model)?.[0]
  await expect(model(page)).toHaveValue(label ?? '')
  await model(page).click()
  await expect(page.getByRole('option')).toHaveText(Object.keys(models))
})

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

  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page).toHaveURL('/users')
})

for (const [how, send] of Object.entries({
  'by a click on Save': async (page: Page) => button(page, 'Save').click(),
  'without leaving the field': async (page: Page) =>
    caseTypes(page).evaluate((input: HTMLInputElement) => input.form?.requestSubmit()),
})) {
  test(`a case type that is typed without Enter is saved too, ${how}`, async ({ page, api }) => {
    await page.goto('/website_config')
    await caseTypes(page).pressSequentially('spam')
    await send(page)
    await expect(toast(page)).toHaveText(SAVED)
    const config = await api<WebsiteConfig>('GET', CONFIG)
    expect(config.default_case_types).toBe('["fraud","crisis","spam"]')
    await expect(page.getByText('spam', { exact: true })).toBeVisible()
    await expect(caseTypes(page)).toHaveValue('')
  })
}

test('case types are removed and typed as tags', async ({ page, api }) => {
  await page.goto('/website_config')
  await caseTypes(page).press('Backspace')
  await caseTypes(page).fill('spam')
  await caseTypes(page).press('Enter')
  await caseTypes(page).press('Escape')
  await button(page, 'Save').click()
  await expect(toast(page)).toHaveText(SAVED)
  expect(await api('GET', CONFIG)).toMatchObject({ default_case_types: '["fraud","spam"]' })
})

test('an unknown case type is marked at its field with the known ones; a server error is a toast', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(REFUSED)
  await page.goto('/website_config')
  await caseTypes(page).fill('gossip')
  await caseTypes(page).press('Enter')
  await caseTypes(page).press('Escape')
  const choices = await api<string[]>('GET', '/api/v1/config/case_types')
  const mark = `gossip is not a case type. Choose from: ${choices.join(', ')}.`
  await expect(caseTypes(page)).toHaveAccessibleDescription(new RegExp(mark))
  await expect(caseTypes(page)).toHaveAttribute('aria-invalid', 'true')
  await button(page, 'Save').click()
  await expect(toast(page)).toHaveText('gossip is not a case type.')
  await expect(caseTypes(page)).toHaveAccessibleDescription(new RegExp(mark))
  await expect(caseTypes(page)).toBeFocused()
  await expect(page.getByText('gossip', { exact: true })).toBeVisible()
})

test('a value that is too long gets an error before anything is sent', async ({ page }) => {
  await page.goto('/website_config')
  await field(page, 'VK sources').fill('x'.repeat(2_001))
  await button(page, 'Save').click()
  await expect(field(page, 'VK sources')).toHaveAccessibleDescription(/At most 2,000 characters\./)
  await expect(field(page, 'VK sources')).toBeFocused()
})

test('a text that is not a sheet gets an error before anything is sent, in place of the former message', async ({
  page,
}) => {
  await page.goto('/website_config')
  await field(page, 'VK sources').fill(SHEET)
  await button(page, 'Save').click()
  await expect(toast(page)).toHaveText(SAVED)
  // It stays open on hover.
  await toast(page).hover()
  await field(page, 'VK sources').fill('our sheet')
  await page.keyboard.press('Enter')
  await expect(field(page, 'VK sources')).toHaveAccessibleDescription(/Enter the URL of a Google sheet/)
  await expect(field(page, 'VK sources')).toBeFocused()
  await expect(toast(page)).toHaveCount(0)
})

test('on a phone, the sticky bar does not cover the error of the last field', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/website_config')
  await field(page, 'TikTok sources').fill('our sheet')
  await button(page, 'Save').click()
  const error = page.getByText('Enter the URL of a Google sheet (')
  await expect(error).toBeVisible()
  await expect(field(page, 'TikTok sources')).toBeFocused()
  const isCovered = await error.evaluate((text) => {
    const { left, bottom } = text.getBoundingClientRect()
    return document.elementFromPoint(left + 5, bottom - 5) !== text
  })
  expect(isCovered).toBe(false)
})

test('two people at once: other settings are merged, the same setting is asked about', async ({
  page,
  api,
  faults,
}) => {
  faults.allow(REFUSED)
  await page.goto('/website_config')
  await field(page, 'VK sources').fill('a-sheet-of-sources-1')
  await field(page, 'OK sources').fill('a-sheet-of-sources-7')
  await api('PATCH', CONFIG, { default_case_types: '["spam"]', sources_sheet_vk: 'a-sheet-of-sources-2' })
  await button(page, 'Save').click()
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this website config while you were editing' })
  await expect(dialog).toContainText('Super Admin changed Default case types in the meantime.')
  await expect(dialog.getByRole('radiogroup')).toHaveText(
    /^VK sources.*Minea-sheet-of-sources-1Theirsa-sheet-of-sources-2$/,
  )
  await dialog.getByRole('radio', { name: 'Theirs' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page)).toContainText(SAVED)
  await expect(field(page, 'VK sources')).toHaveValue('a-sheet-of-sources-2')
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  const merged = {
    default_case_types: '["spam"]',
    sources_sheet_vk: 'a-sheet-of-sources-2',
    sources_sheet_ok: 'a-sheet-of-sources-7',
  }
  expect(await api('GET', CONFIG)).toMatchObject(merged)

  await field(page, 'VK sources').fill('a-sheet-of-sources-3')
  await button(page, 'Save').click()
  await expect(toast(page)).toHaveText([SAVED])
  expect(await api('GET', CONFIG)).toMatchObject({ ...merged, sources_sheet_vk: 'a-sheet-of-sources-3' })
})

test('leaving with changes asks first', async ({ page }) => {
  await page.goto('/website_config')
  await field(page, 'VK sources').fill('changed')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect(field(page, 'VK sources')).toHaveValue('changed')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL('/users')
})

test.describe('on another backend', () => {
  test.beforeEach(async ({ page, otherBackend, faults }) => {
    faults.allow(REFUSED)
    faults.allow(BROKEN)
    await storeToken(page, otherBackend.url, 'any')
  })

  test('unknown keys are text fields too, and untouched values are sent unchanged', async ({ page, otherBackend }) => {
    const values = { default_case_types: 'broken', 'site.title': 'News', retries: 3, banner: null }
    otherBackend.responses[`GET ${CONFIG}`] = { status: 200, body: values }
    otherBackend.responses[`GET ${MODELS}`] = { status: 200, body: { Small: 'm-1', Tiny: 'm-1', Large: 'm-2' } }
    otherBackend.responses[`PATCH ${CONFIG}`] = { status: 200, body: null }
    await page.goto(`${otherBackend.url}/website_config`)
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
    const sent = otherBackend.calls.find(({ call }) => call === `PATCH ${CONFIG}`)
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      default_case_types: '["a"]',
      default_stories_vectors_model: 'm-2',
      'site.title': 'Fresh news',
      retries: 3,
    })
  })

  test('a failure is a toast and the values stay; a loader replaces Save meanwhile', async ({ page, otherBackend }) => {
    let respond = () => {}
    const after = new Promise<void>((resolve) => {
      respond = resolve
    })
    otherBackend.responses[`GET ${CONFIG}`] = { status: 400, body: { detail: 'Not now.' } }
    await page.goto(`${otherBackend.url}/website_config`)
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Not now.')
    otherBackend.responses[`GET ${CONFIG}`] = { status: 200, body: { theme: 'calm' } }
    await button(page, 'Try again').click()
    await field(page, 'Theme').fill('loud')
    otherBackend.responses[`PATCH ${CONFIG}`] = { status: 500, body: 'Oops', after }
    await button(page, 'Save').click()
    await expect(page.getByRole('status', { name: 'Saving' })).toBeVisible()
    await expect(button(page, 'Save')).toHaveCount(0)
    respond()
    await expect(toast(page)).toHaveText('Something went wrong')
    await expect(field(page, 'Theme')).toHaveValue('loud')
    await expect(button(page, 'Save')).toBeVisible()
  })
})

test('no message hides that there are unsaved changes, nor Save, at either width', async ({ page }) => {
  await page.goto('/website_config')
  await field(page, 'VK sources').fill('https://docs.google.com/spreadsheets/d/1a2b3c4d5e6f7g8h9i0j')
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText(SAVED)
  // It stays open on hover.
  await toast(page).hover()
  await field(page, 'VK sources').fill('')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const needed of [page.getByText('Unsaved changes', { exact: true }), button(page, 'Save')]) {
      await expect(needed).toBeVisible()
      const [message, box] = await Promise.all([toast(page).boundingBox(), needed.boundingBox()])
      if (!message || !box) throw new Error('Both are on the page')
      const isApart =
        message.x + message.width <= box.x ||
        box.x + box.width <= message.x ||
        message.y + message.height <= box.y ||
        box.y + box.height <= message.y
      expect(isApart).toBe(true)
    }
  }
})
