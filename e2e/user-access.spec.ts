import { expectAccessible } from './accessible.ts'
import { codeOf, events, section, signInAsPerson, signInElsewhere, statusOf } from './account-page.ts'
import { seed, unique } from './seed.ts'
import { REFUSED } from './session-page.ts'
import { expect, shareSession, signIn, storeToken, test } from './test.ts'
import { button, dialog, heading, toast, toggle } from './users-page.ts'

test('an admin ends the sessions and deletes the tokens of a user, who is notified', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const person = await signInAsPerson(page, watchdesk)
  const elsewhere = await signInElsewhere(page, person)
  for (const name of ['Airflow', 'Export']) {
    const data = { name, days: 30, is_read_only: true }
    expect(await statusOf(page, person.token, 'POST', 'account/tokens/', data)).toBe(201)
  }
  await shareSession(page, watchdesk)
  await page.goto(`/users/${person.id}/edit`)
  const access = section(page, 'Access')
  await expect(access).toContainText('No failed attempts to sign in.')
  await expect(access).toContainText('None. The password alone is enough to sign in.')

  const tokens = access.getByRole('list', { name: 'Tokens' }).getByRole('listitem')
  await tokens.getByRole('button', { name: 'Delete the token Airflow' }).press('Enter')
  await expect(dialog(page)).toHaveAccessibleName(`Delete the token “Airflow” of ${person.name}?`)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(tokens).toHaveCount(1)
  await expect(access.getByRole('heading', { name: 'Access' })).toBeFocused()

  const sessions = access.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await sessions.getByRole('button').first().click()
  await expect(dialog(page)).toHaveAccessibleName(new RegExp(`^End the session of ${person.name} on `))
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(sessions).toHaveCount(2)
  await access.getByRole('button', { name: 'End all' }).click()
  await expect(dialog(page)).toContainText('Nothing they entered is lost.')
  await dialog(page).getByRole('button', { name: 'End all' }).click()
  await expect(access).toContainText('Not signed in.')
  expect([await statusOf(page, person.token), await statusOf(page, elsewhere)]).toEqual([401, 401])

  await signIn(page, { url: watchdesk.url, email: person.email, password: person.password })
  await page.goto('/users')
  const notices = section(page, 'Notices')
  await expect(notices.getByRole('status')).toContainText('Super Admin ended your sessions on')
  await expect(notices).toContainText('Super Admin deleted your tokens on')
  await expectAccessible(page)
  await notices.getByRole('button', { name: 'OK' }).press('Enter')
  await expect(notices).toHaveCount(0)
  await expect(heading(page)).toBeFocused()
  await page.reload()
  await expect(heading(page)).toHaveText('Users')
  await expect(notices).toHaveCount(0)
})

test('a user without a role cannot sign in, and nothing claims otherwise', async ({ page, watchdesk }) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await user((await workspace(unique('Access'))).id)
  await page.goto(`/users/${id}/edit`)
  const access = section(page, 'Access')
  await expect(access).toContainText('This user has no role, so they cannot sign in to this console.')
  await expect(access).toContainText('which is valid for 60 minutes')
  await expect(access).not.toContainText('is enough to sign in')
})

test('an admin resets the second factor of a user, who is signed out and chooses a new password', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const person = await signInAsPerson(page, watchdesk)
  const headers = { authorization: `Bearer ${person.token}` }
  const { secret } = await (await page.request.post('/api/v1/account/authenticator', { headers })).json()
  const data = { code: codeOf(secret) }
  expect(await statusOf(page, person.token, 'POST', 'account/authenticator/confirm', data)).toBe(200)
  await shareSession(page, watchdesk)
  await page.goto(`/users/${person.id}/edit`)
  const access = section(page, 'Access')
  await expect(access).toContainText('Authenticator app and 10 recovery codes.')
  await access.getByRole('button', { name: 'Reset second factor' }).click()
  await expect(dialog(page)).toContainText('They are shown who did this and when.')
  for (const label of ['Delete their tokens', 'Require a new password'])
    await expect(dialog(page).getByRole('checkbox', { name: label })).toBeChecked()
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Reset second factor' }).click()
  await expect(toast(page)).toContainText('Second factor reset.')
  await expect(access).toContainText('The user has no password.')
  await expect(access).toContainText('Not signed in.')
  await expect(access).toContainText('Give this link to the user.')
  const [, token] = (await access.getByText('/set_password#').innerText()).split('#')
  expect(await statusOf(page, person.token)).toBe(401)

  const password = 'a chosen staple 5'
  expect((await page.request.post('/api/v1/login/link/password', { data: { token, password } })).ok()).toBe(true)
  await signIn(page, { url: watchdesk.url, email: person.email, password })
  await page.goto('/account')
  await expect(section(page, 'Notices')).toContainText('Super Admin reset your second factor on')
  await expect(await events(page)).toContainText('Super Admin reset the second factor of')
})

test('a reset gives a link to a user whose passkey is the only way to sign in', async ({ page, watchdesk }) => {
  const person = await signInAsPerson(page, watchdesk)
  await shareSession(page, watchdesk)
  await page.route(`**/api/v1/users/${person.id}/access`, async (route) => {
    const response = await route.fetch()
    const access = await response.json()
    const passkeys = [{ id: 1, name: 'Laptop', created_at: '2026-01-02T03:04:05.000Z', last_used_at: null }]
    const second_factor = { ...access.second_factor, passkeys }
    await route.fulfill({ response, json: { ...access, has_password: false, second_factor } })
  })
  await page.goto(`/users/${person.id}/edit`)
  const access = section(page, 'Access')
  await access.getByRole('button', { name: 'Reset second factor' }).click()
  await expect(dialog(page).getByRole('checkbox', { name: 'Create a link to choose a password' })).toBeChecked()
  await dialog(page).getByRole('button', { name: 'Reset second factor' }).click()
  await expect(access).toContainText('Give this link to the user.')
  await page.unrouteAll({ behavior: 'wait' })
})

for (const [where, label] of [
  ['above the form', 'Unlock'],
  ['in Access', 'Unlock sign-in'],
] as const) {
  test(`failed attempts and the lock are shown, and the button ${where} unlocks`, async ({ page, watchdesk }) => {
    const person = await signInAsPerson(page, watchdesk)
    for (let attempt = 0; attempt < 10; attempt++)
      await signInElsewhere(page, { ...person, password: 'wrong password' })
    await shareSession(page, watchdesk)
    await page.goto(`/users/${person.id}/edit`)
    const access = section(page, 'Access')
    await expect(access).toContainText('after too many failed attempts. The last one was on')
    await expect(button(page, 'Unlock sign-in')).toBeVisible()
    await button(page, label).press('Enter')
    await expect(toast(page)).toContainText('User unlocked.')
    await expect(access).toContainText('The last failed attempt to sign in was on')
    await expect(access).not.toContainText('No failed attempts')
    await expect(page.getByText('Too many wrong passwords')).toHaveCount(0)
    await expect(button(page, 'Unlock sign-in')).toHaveCount(0)
    await expect(label === 'Unlock' ? heading(page) : access.getByRole('heading', { name: 'Access' })).toBeFocused()
  })
}

test('the form says that a user who gets access to everything is signed out', async ({ page, watchdesk }) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await user((await workspace(unique('Access'))).id)
  const warning = page.getByText('They will be signed out, and their API tokens end.')
  await page.goto(`/users/${id}/edit`)
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
  await page.goto(`/users/${id}/edit`)
  await expect(toggle(page, 'Super admin')).toBeChecked()
  await expect(warning).toHaveCount(0)

  await page.goto('/users/create')
  await toggle(page, 'Super admin').press('Space')
  await expect(toggle(page, 'Super admin')).toBeChecked()
  await expect(warning).toHaveCount(0)
})

test('the own access is in the account, and that of a super admin is hidden from workspace admins', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const person = await signInAsPerson(page, watchdesk)
  await page.goto(`/users/${person.id}/edit`)
  await section(page, 'Access').getByRole('link', { name: 'My account' }).click()
  await expect(heading(page)).toHaveText('My account')

  const admin = await shareSession(page, watchdesk)
  const fields = { is_super_admin: true, workspace_id: person.workspace_id }
  const data = { first_name: 'Boss', last_name: 'Person', email: `boss-${person.email}`, password: person.password }
  const headers = { authorization: `Bearer ${admin}` }
  const boss = await page.request.post('/api/v1/users/', { headers, data: { ...data, ...fields } })
  const { id } = await boss.json()
  await storeToken(page, watchdesk.url, person.token)
  const asked = page.waitForResponse((response) => response.url().endsWith('/access'))
  await page.goto(`/users/${id}/edit`)
  expect((await asked).status()).toBe(403)
  await expect(heading(page)).toHaveText('Edit User Boss Person')
  await expect(section(page, 'Access')).toHaveCount(0)
})
