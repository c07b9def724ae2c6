import type { User } from '@watchdesk/contract/users'
import { section } from './account-page.ts'
import { expect } from './test.ts'
import { button, chooseWorkspace, expectError, field, fillPerson, toast, toggle } from './users-page.ts'
import { PASSWORD, test, unique } from './workspaces-page.ts'

const LINK = /\/set_password#\S+$/

test('an invited user gets a link instead of a password, which is shown once', async ({
  page,
  api,
  make,
  watchdesk,
  faults,
}) => {
  faults.allow(/401/)
  const { name } = await make.workspace()
  const email = `${unique('guest')}@example.com`
  await page.goto('/users/create')
  await chooseWorkspace(page, name)
  await fillPerson(page, { first: 'Nadia', last: 'Hlushko', email })
  await button(page, 'Create').click()
  await expectError(page, 'Password', 'Password is required!')

  await toggle(page, 'Invite the user instead').press('Space')
  await expect(field(page, 'Password')).toBeDisabled()
  await expect(field(page, 'Password')).not.toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, 'Password')).not.toHaveAttribute('required')
  const noRole = page.getByText('cannot sign in to this console without one of the roles below')
  await expect(noRole).toBeVisible()
  await toggle(page, 'Auditor').press('Space')
  await expect(noRole).toHaveCount(0)
  await toggle(page, 'Auditor').press('Space')
  await button(page, 'Create').click()
  const panel = section(page, 'User created')
  await expect(panel).toContainText('Copy the link now.')
  await expect(panel).toContainText('The link is valid until')
  const link = await panel.getByText(LINK).innerText()
  expect(link.startsWith(`${watchdesk.url}/set_password#`)).toBe(true)
  await expect(button(page, 'Copy link of Nadia Hlushko')).toBeVisible()
  await button(page, 'Dismiss').click()
  await expect(page.getByText(LINK)).toHaveCount(0)

  const { objects } = await api<{ objects: User[] }>('GET', `users/?search=${email}`)
  await page.goto(`/users/${objects[0]?.id}/edit`)
  const access = section(page, 'Access')
  await expect(access).toContainText('Invited. The link is valid until')
  await expect(access).toContainText('They can choose a password with a link.')
  await access.getByRole('button', { name: 'Create a new link' }).press('Enter')
  await expect(toast(page)).toContainText('Link created.')
  const newer = await access.getByText(LINK).innerText()

  // Only the newest link works.
  const choosePassword = async (address: string) =>
    (
      await page.request.post('/api/v1/login/link/password', {
        data: { token: address.split('#')[1], password: PASSWORD },
      })
    ).ok()
  expect([await choosePassword(link), await choosePassword(newer)]).toEqual([false, true])
  await page.reload()
  await expect(access).toContainText('The user has a password')
  await expect(access.getByText(LINK)).toHaveCount(0)
})
