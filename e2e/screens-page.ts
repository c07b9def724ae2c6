import type { Page } from '@playwright/test'
import { makeAddresses, readScreens } from '../scripts/screens.mjs'
import { expect, goInside } from './test.ts'
import { heading, test } from './workspaces-page.ts'

/** Opens every screen and checks it, in several tests, so that the workers share the screens. */
export function testScreens(title: string, parts: number, check: (page: Page) => Promise<void>) {
  for (let part = 0; part < parts; part += 1) {
    test(`${title} (part ${part + 1} of ${parts})`, async ({ page, api, make, watchdesk }) => {
      test.setTimeout(180_000)
      await page.goto('/users')
      const screens = (await readScreens(page)).filter((_, index) => index % parts === part)
      const addressOf = await makeAddresses((path, body) => api('POST', path, body), watchdesk.email)
      // For the bin.
      const { id } = await make.dashboard()
      await api('DELETE', `powerbi_dashboards/${id}`)
      for (const address of screens.map(addressOf)) {
        await goInside(page, address)
        await expect(page).toHaveURL(address)
        await expect(heading(page), address).toBeVisible()
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
        // A page for one row has its final title after the row has loaded.
        await expect(async () => {
          expect(await page.title()).toBe(`${await heading(page).innerText()} · Watchdesk`)
        }).toPass()
        await check(page)
      }
    })
  }
}
