import { openAccount, passwordForm, signInAsPerson, signInElsewhere, statusOf } from './account-page.ts'
import { REFUSED } from './session-page.ts'
import { expect, test } from './test.ts'
import { button, field, toast } from './users-page.ts'
import { unique } from './workspaces-page.ts'

const NEW = 'a new long password'

test('the profile is saved with what somebody else saved meanwhile, and the email; the password changes only with the current one, and only this session stays signed in', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const person = await signInAsPerson(page, watchdesk)
  await openAccount(page)
  await field(page, 'First name').fill('Соломія')
  await button(page, 'Save profile').click()
  await expect(toast(page)).toContainText('Profile saved.')
  await expect(page.getByRole('banner')).toContainText('Соломія')
  await expect(page.getByText('Unsaved changes')).toBeHidden()

  await field(page, 'First name').fill('Marta')
  expect(await statusOf(page, person.token, 'PATCH', `users/${person.id}`, { last_name: 'Savchuk' })).toBe(200)
  await button(page, 'Save profile').click()
  await expect(page.getByRole('banner')).toContainText('Marta Savchuk')
  await expect(field(page, 'Last name')).toHaveValue('Savchuk')

  const email = `${unique('moved')}@example.com`
  await field(page, 'Email').fill(email)
  await button(page, 'Save profile').click()
  await expect(page.getByText('Unsaved changes')).toBeHidden()
  const elsewhere = await signInElsewhere(page, { email, password: person.password })

  const form = passwordForm(page)
  const current = form.getByRole('textbox', { name: 'Current password' })
  const chosen = form.getByRole('textbox', { name: 'New password' })
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(current).toHaveAccessibleDescription('Password is required!')

  await current.fill('not my password')
  await chosen.fill(NEW)
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(current).toHaveAccessibleDescription(/The current password is wrong/)
  await expect(current).toBeFocused()
  expect(await statusOf(page, elsewhere)).toBe(200)

  await current.fill(person.password)
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Password changed. Your other sessions ended.')
  await expect(chosen).toHaveValue('')
  expect([await statusOf(page, person.token), await statusOf(page, elsewhere)]).toEqual([200, 401])
  expect(await signInElsewhere(page, { email, password: NEW })).not.toBe('undefined')
})
