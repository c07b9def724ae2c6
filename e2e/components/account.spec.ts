import { listTokens } from '@watchdesk/contract/auth/tokens'
import { events, expectAccount, passwordForm, section } from '../account-page.ts'
import { button, heading } from '../users-page.ts'
import { answerAccount } from './account.ts'
import { expect, test } from './test.ts'

test.beforeEach(({ backend }) => answerAccount(backend))

test('the user menu opens the account, with the keyboard too, and its links lead to the sections', async ({
  page,
  open,
}) => {
  await open('/users')
  await button(page, 'Olena Kovalenko').press('Enter')
  await expect(page.getByRole('menuitem').first()).toHaveText('My account')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('My account')
  await expect(heading(page)).toBeFocused()
  await expect(await events(page)).toBeInViewport()

  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Tokens' }).press('Enter')
  await expect(section(page, 'Tokens').getByRole('heading', { name: 'Tokens' })).toBeInViewport()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('navigation', { name: 'On this page' })).toBeHidden()
})

test('an address with a section shows that section, also after a reload; a generated password is shown, and the color scheme is chosen', async ({
  page,
  open,
}) => {
  const title = section(page, 'Tokens').getByRole('heading', { name: 'Tokens' })
  await open('/account#tokens')
  await expect(section(page, 'Tokens')).toContainText('No tokens yet.')
  await expect(title).toBeInViewport()
  await page.getByRole('radio', { name: 'Dark' }).check()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(title).toBeInViewport()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  const chosen = passwordForm(page).getByRole('textbox', { name: 'New password' })
  await button(page, 'Generate').click()
  await expect(chosen).toHaveAttribute('type', 'text')
  await expect(chosen).not.toHaveValue('')
})

test('an error is shown with a way to try again', async ({ page, backend, open }) => {
  // A status that is not tried again by itself.
  backend.refuse(listTokens, 400, 'Not now.')
  await open('/account')
  await expectAccount(page)
  await expect(section(page, 'Tokens').getByRole('alert')).toContainText('Not now.')
  backend.answer(listTokens, { objects: [] })
  // With the keyboard, because sections above that still load would move the button away from a click.
  await section(page, 'Tokens').getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(section(page, 'Tokens')).toContainText('No tokens yet.')
})
