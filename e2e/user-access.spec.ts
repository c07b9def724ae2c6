import { section, signInAsPerson, signInElsewhere, statusOf } from './account-page.ts'
import { REFUSED } from './session-page.ts'
import { expect, shareSession, signIn, test } from './test.ts'
import { dialog, heading } from './users-page.ts'

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
  await notices.getByRole('button', { name: 'OK' }).press('Enter')
  await expect(notices).toHaveCount(0)
  await expect(heading(page)).toBeFocused()
  await page.reload()
  await expect(heading(page)).toHaveText('Users')
  await expect(notices).toHaveCount(0)
})
