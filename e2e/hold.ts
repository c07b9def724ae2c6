import type { Page } from '@playwright/test'

/** Holds the requests to an address back. Returns a function that releases them. */
export async function hold(page: Page, url: string) {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    await isReleased
    await route.continue()
  })
  return release
}
