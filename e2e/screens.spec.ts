import { makeAddresses, readScreens } from '../scripts/screens.mjs'
import { expectAccessible } from './accessible.ts'
import { expect } from './test.ts'
import { heading, test } from './workspaces-page.ts'

/** Several tests, so that the workers share the screens. */
const PARTS = 4

for (let part = 0; part < PARTS; part += 1) {
  test(`every screen has a title and fits a phone, and axe finds nothing in either scheme, at either width (part ${part + 1} of ${PARTS})`, async ({
    page,
    api,
    watchdesk,
  }) => {
    test.setTimeout(180_000)
    await page.goto('/users')
    const screens = (await readScreens(page)).filter((_, index) => index % PARTS === part)
    const addressOf = await makeAddresses((path, body) => api('POST', path, body), watchdesk.email)
    for (const address of screens.map(addressOf)) {
      await page.goto(address)
      await expect(heading(page), address).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expect(page).toHaveURL(address)
      // A page for one row has its final title after the row has loaded.
      await expect(async () => {
        expect(await page.title()).toBe(`${await heading(page).innerText()} · Watchdesk`)
      }).toPass()
      await expectAccessible(page)
      // The other two combinations of scheme and width.
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectAccessible(page)
      await page.emulateMedia({ colorScheme: 'light' })
    }
  })
}
