import { expectAccessible } from './accessible.ts'
import {
  createToken,
  events,
  expectKept,
  openAccount,
  openAccountFromUsers,
  section,
  signInAsPerson,
  statusOf,
} from './account-page.ts'
import { BROKEN } from './session-page.ts'
import { expect, test } from './test.ts'
import { dialog, heading, toast } from './users-page.ts'

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
  await expectAccessible(page)
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

test('an auditor creates tokens that only read, and all tokens of an auditor are shown as such', async ({
  page,
  watchdesk,
}) => {
  const { token } = await signInAsPerson(page, watchdesk, { is_admin: false, is_auditor: true })
  const headers = { authorization: `Bearer ${token}` }
  const data = { name: 'Earlier', days: 30, is_read_only: false }
  expect((await page.request.post('/api/v1/account/tokens/', { headers, data })).ok()).toBe(true)
  await openAccount(page)
  await createToken(page, 'Airflow')
  await expect(dialog(page).getByText(/^wdk_/)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click()
  const rows = section(page, 'Tokens').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.getByText('Read only')).toHaveCount(2)
  await section(page, 'Tokens').getByRole('button', { name: 'Create token' }).click()
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toBeVisible()
  await expect(dialog(page).getByRole('switch')).toHaveCount(0)
})

test('a token stays on the screen until it is saved: Back does nothing, and the browser asks before a reload', async ({
  page,
  watchdesk,
}) => {
  await signInAsPerson(page, watchdesk)
  await openAccountFromUsers(page)
  await section(page, 'Tokens').getByRole('button', { name: 'Create token' }).click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Airflow')
  await page.keyboard.press('Enter')
  const shown = dialog(page).getByText(/^wdk_/)
  await expect(shown).toBeVisible()
  await expectKept(page, 'Save the token first. It is not shown again.')
  await expect(shown).toBeVisible()
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.goBack()
  await expect(heading(page)).toHaveText('Users')
})

test('the dialog stays while a token is created, which is shown only once', async ({ page, watchdesk, faults }) => {
  faults.allow(BROKEN)
  await signInAsPerson(page, watchdesk)
  await openAccountFromUsers(page)
  const answers: ((isBroken: boolean) => void)[] = []
  await page.route('**/api/v1/account/tokens/', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const isBroken = await new Promise<boolean>((resolve) => answers.push(resolve))
    return isBroken ? route.fulfill({ status: 500 }) : route.continue()
  })
  await section(page, 'Tokens').getByRole('button', { name: 'Create token' }).press('Enter')
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Airflow')
  await page.keyboard.press('Enter')
  await expect.poll(() => answers.length).toBe(1)
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.evaluate(() => history.back())
  answers[0]?.(true)
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Close' })).toBeVisible()

  await dialog(page).getByRole('button', { name: 'Create token' }).click()
  await expect.poll(() => answers.length).toBe(2)
  await page.keyboard.press('Escape')
  answers[1]?.(false)
  await expect(dialog(page).getByText(/^wdk_/)).toBeVisible()
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click()
})
