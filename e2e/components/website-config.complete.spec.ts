import { button, field, toast } from '../workspaces-page.ts'
import { expect, test } from './test.ts'
import { answerConfig } from './website-config.ts'

const SHEET = 'https://docs.google.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit'

test.beforeEach(async ({ backend, open }) => {
  answerConfig(backend)
  await open('/website_config')
})

test('on a phone, the sticky bar does not cover the error of the last field', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
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

test('no message hides that there are unsaved changes, nor Save, at either width', async ({ page }) => {
  await field(page, 'VK sources').fill(SHEET)
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText('Website config saved successfully!')
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
