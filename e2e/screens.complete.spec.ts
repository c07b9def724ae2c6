import { expectAccessibleInBothSchemes } from './accessible.ts'
import { testScreens } from './screens-page.ts'
import { account, errorLine, loginButton, logoutItem, REFUSED, submit } from './session-page.ts'
import { expect, test as signedOut } from './test.ts'
import { button, choose, dialog, row, section, select, test } from './workspaces-page.ts'

testScreens('axe finds nothing in either scheme, at either width', 4, expectAccessibleInBothSchemes)

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
    await expectAccessibleInBothSchemes(page)
    await page.keyboard.press('Escape')
    await button(page, `Delete ${first_name} ${last_name}`).click()
    await expect(dialog(page)).toBeVisible()
    await expectAccessibleInBothSchemes(page)
    await button(page, 'Delete').click()
    await button(page, 'Undo').hover()
    await expectAccessibleInBothSchemes(page)
    await button(page, 'Undo').click()
    await row(page, last_name).getByRole('checkbox').check()
    await expect(page.getByText('1 selected')).toBeVisible()
    await expectAccessibleInBothSchemes(page)
  })

  test('on a form: errors, the calendar, several options, a closed section that is opened, and a question', async ({
    page,
  }) => {
    await page.goto('/workspaces/create')
    await choose(page, 'Status', 'TRIAL')
    await section(page, 'Advanced configuration').click()
    await button(page, 'Create').click()
    await expect(page.getByText('Workspace name is required!')).toBeVisible()
    await expectAccessibleInBothSchemes(page)
    await button(page, 'Choose trial end date').click()
    await expect(dialog(page)).toBeVisible()
    await expectAccessibleInBothSchemes(page)
    await page.keyboard.press('Escape')
    await select(page, 'Roles').click()
    await page.getByRole('option', { name: 'search' }).click()
    await expectAccessibleInBothSchemes(page)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(dialog(page)).toBeVisible()
    await expectAccessibleInBothSchemes(page)
  })

  signedOut('on the sign-in and its errors, and in the menu of the account', async ({ page, watchdesk, faults }) => {
    faults.allow(REFUSED)
    await page.goto('/login')
    await loginButton(page).click()
    await expectAccessibleInBothSchemes(page)
    await submit(page, { email: 'nobody@example.com', password: 'wrong' })
    await expect(errorLine(page)).toBeVisible()
    await expectAccessibleInBothSchemes(page)
    await submit(page, watchdesk)
    await account(page).click()
    await expect(logoutItem(page)).toBeVisible()
    await expectAccessibleInBothSchemes(page)
  })
})
