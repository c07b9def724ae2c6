import { makeAddresses, readScreens } from '../scripts/screens.mjs'
import { expectAccessible, expectAccessibleInBothSchemes } from './accessible.ts'
import { account, errorLine, loginButton, logoutItem, REFUSED, submit } from './session-page.ts'
import { expect, test as signedOut } from './test.ts'
import { button, choose, dialog, heading, row, section, select, test } from './workspaces-page.ts'

/** Several tests, so that the workers share the screens. */
const PARTS = 4

for (let part = 0; part < PARTS; part += 1) {
  test(`every screen has a title and fits a phone, and axe finds nothing in either scheme, at either width (part ${part + 1} of ${PARTS})`, async ({
    page,
    api,
    make,
    watchdesk,
  }) => {
    test.setTimeout(180_000)
    await page.goto('/users')
    const screens = (await readScreens(page)).filter((_, index) => index % PARTS === part)
    const addressOf = await makeAddresses((path, body) => api('POST', path, body), watchdesk.email)
    // For the bin.
    const { id } = await make.dashboard()
    await api('DELETE', `powerbi_dashboards/${id}`)
    for (const address of screens.map(addressOf)) {
      await page.goto(address)
      await expect(heading(page), address).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expect(page).toHaveURL(address)
      // A page for one row has its final title after the row has loaded.
      await expect(async () => {
        expect(await page.title()).toBe(`${await heading(page).innerText()} · Watchdesk`)
      }).toPass()
      await expectAccessibleInBothSchemes(page)
    }
  })
}

test.describe('axe finds nothing in what every screen of its kind shows', () => {
  test('on a list: options, a question, a message with Undo, and what is done with selected rows', async ({
    page,
    make,
  }) => {
    const { id } = await make.workspace()
    const { first_name, last_name } = await make.user(id, { is_admin: true, is_super_admin: true })
    await page.goto(`/users?workspace_id=${id}`)
    await select(page, 'Workspace').click()
    await expect(page.getByRole('option').first()).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await button(page, `Delete ${first_name} ${last_name}`).click()
    await expect(dialog(page)).toBeVisible()
    await expectAccessible(page)
    await button(page, 'Delete').click()
    await button(page, 'Undo').hover()
    await expectAccessible(page)
    await button(page, 'Undo').click()
    await row(page, last_name).getByRole('checkbox').check()
    await expect(page.getByText('1 selected')).toBeVisible()
    await expectAccessible(page)
  })

  test('on a form: errors, the calendar, several options, a closed section that is opened, and a question', async ({
    page,
  }) => {
    await page.goto('/workspaces/create')
    await choose(page, 'Status', 'TRIAL')
    await section(page, 'Advanced configuration').click()
    await button(page, 'Create').click()
    await expect(page.getByText('Workspace name is required!')).toBeVisible()
    await expectAccessible(page)
    await button(page, 'Choose trial end date').click()
    await expect(dialog(page)).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await select(page, 'Roles').click()
    await page.getByRole('option', { name: 'search' }).click()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(dialog(page)).toBeVisible()
    await expectAccessible(page)
  })

  signedOut('on the sign-in and its errors, and in the menu of the account', async ({ page, watchdesk, faults }) => {
    faults.allow(REFUSED)
    await page.goto('/login')
    await loginButton(page).click()
    await expectAccessible(page)
    await submit(page, { email: 'nobody@example.com', password: 'wrong' })
    await expect(errorLine(page)).toBeVisible()
    await expectAccessible(page)
    await submit(page, watchdesk)
    await account(page).click()
    await expect(logoutItem(page)).toBeVisible()
    await expectAccessible(page)
  })
})
