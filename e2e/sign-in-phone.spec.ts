import { expectAccessible } from './accessible.ts'
import { section, signInElsewhere, statusOf } from './account-page.ts'
import { press } from './keyboard.ts'
import { seed, unique } from './seed.ts'
import { email } from './session-page.ts'
import { expect, test } from './test.ts'
import { dialog, heading, toast } from './users-page.ts'

const NEW_PASSWORD = 'a lamp beside the harbour'

test('by keyboard on a phone: an invited user sets a password, ends another session and creates a token', async ({
  page,
  context,
  watchdesk,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 390, height: 844 })
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Phone'))
  const invited = await user(id, { is_admin: true, password: undefined, invite: true })
  const { invitation } = invited as unknown as { invitation: { link: string } }
  await page.evaluate(() => localStorage.clear())

  await page.goto(invitation.link)
  await expect(page.getByRole('textbox', { name: 'Password', exact: true })).toBeFocused()
  await page.keyboard.type(NEW_PASSWORD)
  await press(page, page.getByRole('button', { name: 'Save password' }))
  await expect(heading(page)).toHaveText('Password saved')
  await press(page, page.getByRole('link', { name: 'Go to sign-in' }))
  await expect(email(page)).toBeFocused()
  await page.keyboard.type(invited.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/users')

  const elsewhere = await signInElsewhere(page, { email: invited.email, password: NEW_PASSWORD })
  await press(page, page.getByRole('banner').getByRole('button', { name: /Iryna/ }))
  await expect(page.getByRole('menuitem', { name: 'My account' })).toBeFocused()
  await page.keyboard.press('Enter')
  const rows = section(page, 'Sessions').getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await press(page, rows.getByRole('button'))
  await press(page, dialog(page).getByRole('button', { name: 'End session' }))
  await expect(toast(page)).toContainText('Session ended.')
  await expect(rows).toHaveCount(1)
  await expect(section(page, 'Sessions').getByRole('heading', { name: 'Sessions' })).toBeFocused()
  expect(await statusOf(page, elsewhere)).toBe(401)

  await press(page, section(page, 'Tokens').getByRole('button', { name: 'Create token' }))
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Airflow')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText(/^wdk_/)).toBeVisible()
  await expectAccessible(page)
  await press(page, dialog(page).getByRole('button', { name: /^Copy/ }))
  const token = await page.evaluate(() => navigator.clipboard.readText())
  expect(await statusOf(page, token)).toBe(200)
  await press(page, dialog(page).getByRole('button', { name: 'I have saved it' }))
  await expect(dialog(page)).toHaveCount(0)
  await expect(section(page, 'Tokens').getByRole('button', { name: 'Create token' })).toBeFocused()
})
