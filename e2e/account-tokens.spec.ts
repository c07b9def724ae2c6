import { events, openAccount, section, signInAsPerson, statusOf } from './account-page.ts'
import { expect, test } from './test.ts'
import { dialog, toast } from './users-page.ts'

test('a token is shown once, reads but does not write, and stops working when it is deleted', async ({
  page,
  watchdesk,
}) => {
  const person = await signInAsPerson(page, watchdesk)
  await openAccount(page)
  const tokens = section(page, 'Tokens')
  await expect(tokens).toContainText('No tokens yet.')
  const create = tokens.getByRole('button', { name: 'Create token' })
  await create.press('Enter')
  await expect(dialog(page).getByRole('switch', { name: 'Read only' })).toBeChecked()
  const name = dialog(page).getByRole('textbox', { name: 'Name' })
  await expect(name).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(name).toHaveAccessibleDescription(/Name is required!/)
  await name.fill('Airflow')
  await page.keyboard.press('Enter')
  const shown = dialog(page).getByText(/^wdk_/)
  await expect(shown).toBeVisible()
  // A second Enter copies the token instead of closing the dialog.
  await expect(dialog(page).getByRole('button', { name: 'Copy token Airflow' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  const token = await shown.innerText()
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(create).toBeFocused()

  const row = tokens.getByRole('listitem').filter({ hasText: 'Airflow' })
  await expect(row).toContainText('Read only')
  await expect(row).toContainText('Never used')
  await expect(await events(page)).toContainText('created the token “Airflow”')
  await expect(page.getByText(token)).toHaveCount(0)
  expect(await statusOf(page, token)).toBe(200)
  expect(await statusOf(page, token, 'PATCH', `users/${person.id}`, { first_name: 'Token' })).toBe(403)

  await row.getByRole('button', { name: 'Delete the token Airflow' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page)).toContainText('Token “Airflow” deleted.')
  await expect(tokens).toContainText('No tokens yet.')
  await expect(tokens.getByRole('heading', { name: 'Tokens' })).toBeFocused()
  expect(await statusOf(page, token)).toBe(401)
})
