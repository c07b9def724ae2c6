import type { Page } from '@playwright/test'
import { csvFile, fileField } from '../source-import-page.ts'
import { expect, test } from './test.ts'

const grid = (page: Page) => page.getByRole('grid', { name: 'Rows of the file' })
const active = (page: Page) => grid(page).locator('[data-active]')

test('the bar at the bottom of the window never covers the active cell', async ({ page, open }) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await open('/source_import')
  await fileField(page).setInputFiles(
    csvFile(['source_url', ...Array.from({ length: 60 }, (_, index) => `https://t.me/many_${index}`)].join('\n')),
  )
  await grid(page).focus()
  await page.keyboard.press('Control+End')
  await expect(active(page)).toHaveAttribute('data-column', 'skip')
  const bar = page.getByText('60 of 60 rows can be imported.')
  const gap = async () =>
    ((await bar.boundingBox())?.y ?? 0) - ((await active(page).boundingBox())?.y ?? Number.POSITIVE_INFINITY)
  await expect.poll(gap).toBeGreaterThan(44)
  await page.keyboard.press('Control+Home')
  await expect(grid(page).locator('tbody tr').first().locator('[data-active]')).toHaveCount(1)
  await expect.poll(async () => (await active(page).boundingBox())?.y).toBeGreaterThan(56)
})
