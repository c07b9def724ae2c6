import { getAccount, listAccountEvents, listSessions } from '@watchdesk/contract/account'
import { currentUser } from '@watchdesk/contract/auth/session'
import { listTokens } from '@watchdesk/contract/auth/tokens'
import { getUserAccess, resetSecondFactor } from '@watchdesk/contract/auth/user-access'
import { getUser, unlockUser } from '@watchdesk/contract/users'
import { section } from '../account-page.ts'
import { button, dialog, heading, toast, toggle } from '../users-page.ts'
import { aUser, ME } from './records.ts'
import { expect, nextCall, test } from './test.ts'
import { anAccess, answerUsers } from './users.ts'

const AT = '2026-11-15T09:30:00.000Z'

test('a user without a role cannot sign in, and nothing claims otherwise', async ({ page, backend, open }) => {
  answerUsers(backend, [aUser()])
  await open('/users/10/edit')
  const access = section(page, 'Access')
  await expect(access).toContainText('This user has no role, so they cannot sign in to this console.')
  await expect(access).toContainText('which is valid for 60 minutes')
  await expect(access).not.toContainText('is enough to sign in')
})

test('a reset gives a link to a user whose passkey is the only way to sign in', async ({ page, backend, open }) => {
  answerUsers(backend, [aUser({ is_admin: true })])
  const passkeys = [{ id: 1, name: 'Laptop', created_at: AT, last_used_at: null }]
  const second_factor = { authenticator: null, passkeys, recovery_codes_left: 0 }
  backend.answer(getUserAccess, anAccess({ has_password: false, second_factor }))
  const link = 'https://desk.example.com/set_password#Ab3dEf'
  backend.answer(resetSecondFactor, { invitation: { link, sent_to: null, expires_at: AT } })
  await open('/users/10/edit')
  const access = section(page, 'Access')
  await access.getByRole('button', { name: 'Reset second factor' }).click()
  await expect(dialog(page).getByRole('checkbox', { name: 'Create a link to choose a password' })).toBeChecked()
  await expect(dialog(page).getByRole('checkbox', { name: 'Delete their tokens' })).toBeChecked()
  await expect(dialog(page)).toContainText('They are shown who did this and when.')
  await dialog(page).getByRole('button', { name: 'Reset second factor' }).click()
  await expect(toast(page)).toContainText('Second factor reset.')
  await expect(access).toContainText('Give this link to the user.')
  await expect(access).toContainText(link)
  const options = { end_tokens: true, require_new_password: true }
  expect(backend.calls(resetSecondFactor)).toMatchObject([{ params: { id: '10' }, body: options }])
})

for (const [where, label] of [
  ['above the form', 'Unlock'],
  ['in Access', 'Unlock sign-in'],
] as const) {
  test(`failed attempts and the lock are shown, and the button ${where} unlocks`, async ({ page, backend, open }) => {
    const person = aUser({ is_admin: true })
    const locked_until = '2036-11-15T09:40:00.000Z'
    answerUsers(backend, [person])
    backend.answer(getUser, { ...person, locked_until })
    backend.answer(getUserAccess, anAccess({ failed_count: 10, last_failed_at: AT, locked_until }))
    backend.answer(unlockUser, () => {
      backend.answer(getUser, person)
      backend.answer(getUserAccess, anAccess({ last_failed_at: AT }))
    })
    await open('/users/10/edit')
    const access = section(page, 'Access')
    await expect(access).toContainText('after too many failed attempts. The last one was on')
    await expect(button(page, 'Unlock sign-in')).toBeVisible()
    await expect(page.getByText('Too many wrong passwords')).toBeVisible()
    await button(page, label).press('Enter')
    await expect(toast(page)).toContainText('User unlocked.')
    await expect(access).toContainText('The last failed attempt to sign in was on')
    await expect(access).not.toContainText('No failed attempts')
    await expect(page.getByText('Too many wrong passwords')).toHaveCount(0)
    await expect(button(page, 'Unlock sign-in')).toHaveCount(0)
    await expect(label === 'Unlock' ? heading(page) : access.getByRole('heading', { name: 'Access' })).toBeFocused()
  })
}

test('the form says that a user who gets access to everything is signed out', async ({ page, backend, open }) => {
  answerUsers(backend, [aUser()])
  const warning = page.getByText('They will be signed out, and their API tokens end.')
  await open('/users/10/edit')
  for (const role of ['Super admin', 'Auditor']) {
    await expect(warning).toHaveCount(0)
    await toggle(page, role).press('Space')
    await expect(warning).toHaveCount(1)
    await toggle(page, role).press('Space')
  }
  await toggle(page, 'Workspace admin').press('Space')
  await expect(warning).toHaveCount(0)
  await toggle(page, 'Workspace admin').press('Space')
  await toggle(page, 'Super admin').press('Space')
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText('saved.')
  await expect(page).toHaveURL('/users')
  await open('/users/10/edit')
  await expect(toggle(page, 'Super admin')).toBeChecked()
  await expect(warning).toHaveCount(0)

  await open('/users/create')
  await toggle(page, 'Super admin').press('Space')
  await expect(toggle(page, 'Super admin')).toBeChecked()
  await expect(warning).toHaveCount(0)
})

test('the own access is in the account, and that of a super admin is hidden from workspace admins', async ({
  page,
  backend,
  open,
}) => {
  const me = { ...ME, is_super_admin: false, is_admin: true }
  answerUsers(backend, [me, aUser({ first_name: 'Boss', last_name: 'Person', is_super_admin: true })])
  backend.answer(currentUser, me)
  for (const endpoint of [getAccount, listAccountEvents, listSessions, listTokens]) backend.refuse(endpoint, 403)
  await open(`/users/${me.id}/edit`)
  await section(page, 'Access').getByRole('link', { name: 'My account' }).click()
  await expect(heading(page)).toHaveText('My account')
  expect(backend.calls(getUserAccess)).toEqual([])

  backend.refuse(getUserAccess, 403, 'Only super admins can do this.')
  const asked = nextCall(backend, getUserAccess)
  await open('/users/10/edit')
  await asked
  await expect(heading(page)).toHaveText('Edit User Boss Person')
  await expect(section(page, 'Access')).toHaveCount(0)
})
