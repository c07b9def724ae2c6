import { button, chips, filters } from '../workspaces-page.ts'
import { expect, test } from './test.ts'

test('the field of a filter stays where it opened, while its chip grows', async ({ page, open }) => {
  await page.setViewportSize({ width: 1100, height: 800 })
  await open('/workspaces')
  const popup = page.getByRole('dialog', { name: 'Add filter' })
  const place = async () => (await popup.boundingBox()) ?? { x: 0, y: 0 }
  await button(page, 'Add filter').click()
  await expect(popup).toHaveCSS('opacity', '1')
  const opened = await place()
  await button(popup, 'Status').click()
  for (const name of ['TRIAL', 'INTERNAL']) {
    await filters(page).getByRole('checkbox', { name, exact: true }).check()
    await expect(chips(page)).toHaveText(new RegExp(name))
    // It may be rounded to another fraction of a pixel.
    const { x, y } = await place()
    expect(x).toBeCloseTo(opened.x, 0)
    expect(y).toBeCloseTo(opened.y, 0)
  }
})
