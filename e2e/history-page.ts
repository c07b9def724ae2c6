import type { Page } from '@playwright/test'
import { expect } from './test.ts'
import { logIn } from './watchdesk.ts'
import { type Api, apiOf, test as base, PASSWORD, toast } from './workspaces-page.ts'

type Fixtures = {
  /** Calls the API as another super admin, who has this name. */
  vera: { name: string; api: Api }
}

export const test = base.extend<Fixtures>({
  vera: async ({ page, make, watchdesk: { url } }, use) => {
    const { id } = await make.workspace()
    const { first_name, last_name, email } = await make.user(id, { first_name: 'Vera', is_super_admin: true })
    const token = await logIn(url, { email, password: PASSWORD })
    await use({ name: `${first_name} ${last_name}`, api: apiOf(page, url, token) })
  },
})

export const panel = (page: Page) => page.getByRole('dialog', { name: 'History' })
export const historyLink = (page: Page) => page.getByRole('link', { name: 'History', exact: true })
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
export const preview = (page: Page) => page.getByRole('table', { name: 'What will change' })
export const quietLine = (page: Page) => page.getByRole('status').filter({ hasText: 'newer version' })

/** An earlier message may still be fading out. */
export async function expectToast(page: Page, text: string) {
  await expect(toast(page).filter({ hasText: text }).last()).toBeVisible()
}

/** Opens the details of the newest event that contains the text. */
export async function openEvent(page: Page, text: string) {
  await panel(page)
    .getByRole('button', { name: new RegExp(`^Details: .*${text}`) })
    .first()
    .click()
}
