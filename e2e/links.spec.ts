import { expectAccessible } from './accessible.ts'
import { press } from './keyboard.ts'
import { runCommand } from './processes.ts'
import { heading } from './second-factor-page.ts'
import { account, email, errorLine, REFUSED, storedToken } from './session-page.ts'
import { expect } from './test.ts'
import { field } from './users-page.ts'
import { test } from './workspaces-page.ts'

const NEW_PASSWORD = 'a lamp beside the harbour'

test.use({ isSignedIn: false })

test('an invited user chooses a password, and signs in with it, by keyboard on a phone', async ({
  page,
  make,
  faults,
}) => {
  faults.allow(REFUSED)
  await page.setViewportSize({ width: 390, height: 844 })
  const { id } = await make.workspace()
  const fields = { first_name: 'Olena', is_admin: true, password: undefined, invite: true }
  const invited = await make.user(id, fields)
  const { invitation } = invited as unknown as { invitation: { link: string } }

  await page.goto(invitation.link)
  await expect(heading(page)).toHaveText('Welcome, Olena')
  await expect(page).toHaveURL('/set_password')
  await expect(page).toHaveTitle('Welcome, Olena · Watchdesk')
  await expect(page.getByText(invited.email)).toBeVisible()
  await expect(field(page, 'Password')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field(page, 'Password')).toHaveAccessibleDescription('Password is required!')
  await page.keyboard.type('password')
  await press(page, page.getByRole('button', { name: 'Save password' }))
  await expect(errorLine(page)).toBeVisible()
  await expectAccessible(page)
  await field(page, 'Password').fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Password saved')
  await expect(heading(page)).toBeFocused()
  await expect(page.getByText('If you have access to this console, you can sign in with it.')).toBeVisible()
  await press(page, page.getByRole('link', { name: 'Go to sign-in' }))
  await expect(email(page)).toBeFocused()
  await page.keyboard.type(invited.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/users')

  // A link works once, and someone who is signed in stays signed in.
  const token = await storedToken(page)
  await page.goto(invitation.link)
  await expect(heading(page)).toHaveText('This link does not work')
  await expect(page.getByText('Your administrator can create a new link.')).toBeVisible()
  await expect(errorLine(page)).toHaveText('This link is not valid any more. Ask for a new one.')
  expect(await storedToken(page)).toBe(token)
})

test('a link of the command line signs in once', async ({ page, watchdesk, faults }) => {
  faults.allow(REFUSED)
  const args = ['scripts/run.mjs', 'sign-in-link', watchdesk.email]
  const { code, output } = await runCommand(process.execPath, args, { DATA_DIR: watchdesk.data })
  expect(code, output).toBe(0)
  const link = `/sign_in${/\/sign_in(#[\w-]+)/.exec(output)?.[1]}`
  await page.goto(link)
  await expect(account(page)).toBeVisible()
  await expect(page).toHaveURL('/users')
  const token = await storedToken(page)

  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in with the link' }).click()
  await expect(heading(page)).toHaveText('This link does not work')
  expect(await storedToken(page)).toBe(token)
})
