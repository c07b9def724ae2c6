import {
  events,
  openAccount,
  passwordForm,
  section,
  signInAsPerson,
  signInElsewhere,
  statusOf,
} from './account-page.ts'
import { unique } from './seed.ts'
import { REFUSED } from './session-page.ts'
import { expect, test } from './test.ts'
import { button, field, heading, toast } from './users-page.ts'

const NEW = 'a new long password'

test('the user menu opens the account, with the keyboard too, and its links lead to the sections', async ({
  page,
  watchdesk,
}) => {
  const { name } = await signInAsPerson(page, watchdesk)
  await page.goto('/users')
  await page.getByRole('button', { name, exact: true }).press('Enter')
  await expect(page.getByRole('menuitem').first()).toHaveText('My account')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('My account')
  await expect(heading(page)).toBeFocused()
  await expect(await events(page)).toContainText('signed in')

  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Tokens' }).press('Enter')
  await expect(section(page, 'Tokens').getByRole('heading', { name: 'Tokens' })).toBeInViewport()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('navigation', { name: 'On this page' })).toBeHidden()
})

test('an address with a section shows that section, also after a reload', async ({ page, watchdesk }) => {
  await signInAsPerson(page, watchdesk)
  await page.goto('/account#tokens')
  await expect(section(page, 'Tokens')).toContainText('No tokens yet.')
  await expect(section(page, 'Tokens').getByRole('heading', { name: 'Tokens' })).toBeInViewport()
  await page.reload()
  await expect(section(page, 'Tokens').getByRole('heading', { name: 'Tokens' })).toBeInViewport()
})

test('the profile is saved, and after a recent sign-in the email too', async ({ page, watchdesk, faults }) => {
  faults.allow(REFUSED)
  const person = await signInAsPerson(page, watchdesk)
  await openAccount(page)
  await field(page, 'First name').fill('Соломія')
  await button(page, 'Save profile').click()
  await expect(toast(page)).toContainText('Profile saved.')
  await expect(page.getByRole('banner')).toContainText('Соломія')
  await expect(page.getByText('Unsaved changes')).toBeHidden()

  const email = `${unique('moved')}@example.com`
  await field(page, 'Email').fill(email)
  await button(page, 'Save profile').click()
  await expect(page.getByText('Unsaved changes')).toBeHidden()
  expect(await signInElsewhere(page, { email, password: person.password })).not.toBe('undefined')
})

test('what somebody else saved meanwhile is kept', async ({ page, watchdesk, faults }) => {
  faults.allow(REFUSED)
  const person = await signInAsPerson(page, watchdesk)
  await openAccount(page)
  await field(page, 'First name').fill('Marta')
  expect(await statusOf(page, person.token, 'PATCH', `users/${person.id}`, { last_name: 'Savchuk' })).toBe(200)
  await button(page, 'Save profile').click()
  await expect(toast(page)).toContainText('Profile saved.')
  await expect(page.getByRole('banner')).toContainText('Marta Savchuk')
  await expect(field(page, 'Last name')).toHaveValue('Savchuk')
})

test('the password changes only with the current one, and only this session stays signed in', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const person = await signInAsPerson(page, watchdesk)
  const elsewhere = await signInElsewhere(page, person)
  await openAccount(page)
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
  expect(await signInElsewhere(page, { ...person, password: NEW })).not.toBe('undefined')
})

test('a password can be generated, and is shown then', async ({ page, watchdesk }) => {
  await signInAsPerson(page, watchdesk)
  await openAccount(page)
  const chosen = passwordForm(page).getByRole('textbox', { name: 'New password' })
  await button(page, 'Generate').click()
  await expect(chosen).toHaveAttribute('type', 'text')
  await expect(chosen).not.toHaveValue('')
})

test('the color scheme is chosen here too', async ({ page, watchdesk }) => {
  await signInAsPerson(page, watchdesk)
  await openAccount(page)
  await page.getByRole('radio', { name: 'Dark' }).check()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
})

test('an error is shown with a way to try again', async ({ page, watchdesk, faults }) => {
  faults.allow(/500/)
  await signInAsPerson(page, watchdesk)
  let isBroken = true
  await page.route('**/api/v1/account/tokens/', (route) =>
    isBroken ? route.fulfill({ status: 500 }) : route.continue(),
  )
  await openAccount(page)
  await expect(section(page, 'Tokens').getByRole('alert')).toBeVisible()
  isBroken = false
  await section(page, 'Tokens').getByRole('button', { name: 'Try again' }).click()
  await expect(section(page, 'Tokens')).toContainText('No tokens yet.')
})
