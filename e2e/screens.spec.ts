import { expectAccessible, expectFits, PHONE } from './accessible.ts'
import { testScreens } from './screens-page.ts'

testScreens('every screen has a title and fits a phone, and axe finds nothing', 2, async (page) => {
  await expectAccessible(page)
  const size = page.viewportSize() ?? PHONE
  await page.setViewportSize(PHONE)
  await expectFits(page)
  await page.setViewportSize(size)
})
