import type { Locator, Page } from '@playwright/test'

/** Presses Tab until the target has the focus. */
export async function tabTo(page: Page, target: Locator) {
  await target.waitFor()
  for (let presses = 0; presses < 40; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not reach ${target}`)
}

/** Like a click, by keyboard alone. */
export async function press(page: Page, target: Locator, key = 'Enter') {
  await tabTo(page, target)
  await page.keyboard.press(key)
}
