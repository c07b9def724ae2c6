import { events, openAccount, section, signInAsPerson, signInElsewhere, statusOf } from './account-page.ts'
import { expect, test } from './test.ts'
import { dialog, toast } from './users-page.ts'

test('one session ends, then all others, and this one stays', async ({ page, watchdesk }) => {
  const person = await signInAsPerson(page, watchdesk)
  const others = [
    await signInElsewhere(page, person),
    await signInElsewhere(page, person),
    await signInElsewhere(page, person),
  ]
  await openAccount(page)
  const sessions = section(page, 'Sessions')
  const rows = sessions.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(rows).toHaveCount(4)
  await expect(rows.filter({ hasText: 'This session' })).toHaveCount(1)
  await expect(rows.first()).toContainText('Signed in with a password')
  await expect(sessions).toContainText('A session ends after 8 hours without use')

  await rows.getByRole('button').first().press('Enter')
  await expect(dialog(page)).toHaveAccessibleName(/^End the session of /)
  await expect(dialog(page)).toContainText('Nothing you entered is lost.')
  await dialog(page).getByRole('button', { name: 'End session' }).click()
  await expect(toast(page)).toContainText('Session ended.')
  await expect(rows).toHaveCount(3)
  await expect(sessions.getByRole('heading', { name: 'Sessions' })).toBeFocused()
  const statuses = () => Promise.all(others.map((token) => statusOf(page, token)))
  expect((await statuses()).toSorted()).toEqual([200, 200, 401])

  await sessions.getByRole('button', { name: 'End all others' }).click()
  await expect(dialog(page)).toHaveAccessibleName('End the 2 other sessions?')
  await expect(dialog(page)).toContainText('Nothing you entered is lost.')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(sessions.getByRole('button', { name: 'End all others' })).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'End all others' }).click()
  await expect(rows).toHaveCount(1)
  await expect(sessions.getByRole('button', { name: 'End all others' })).toHaveCount(0)
  expect([...(await statuses()), await statusOf(page, person.token)]).toEqual([401, 401, 401, 200])
  await expect(await events(page)).toContainText('ended 2 sessions')
})
