import { tabTo } from '../keyboard.ts'
import { toggle } from '../users-page.ts'
import { expect, test } from './test.ts'

test('the bar with the buttons does not cover a switch that has the focus, nor its description', async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 1440, height: 760 })
  for (const [path, label] of [
    ['/users/create', 'Auditor'],
    ['/users/import', 'Invite them'],
  ] as const) {
    await open(path)
    await tabTo(page, toggle(page, label))
    const bar = page.locator('form').getByRole('button').last()
    const description = page.locator(`[id="${await toggle(page, label).getAttribute('aria-describedby')}"]`)
    await expect(async () => {
      const [top, text] = [(await bar.boundingBox())?.y, await description.boundingBox()]
      expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThan((top ?? 0) - 10)
    }).toPass()
  }
})
