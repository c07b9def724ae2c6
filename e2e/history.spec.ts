import type { User } from '@watchdesk/contract/users'
import { dialog, expectToast, historyLink, openEvent, panel, preview, test } from './history-page.ts'
import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { button, field, heading } from './workspaces-page.ts'

test('a changed field of a user is in its history, and can be put back, while the form keeps its unsaved changes', async ({
  page,
  make,
  vera,
  api,
  faults,
}) => {
  faults.allow(REFUSED)
  const { id } = await make.workspace()
  const user = await make.user(id)
  await vera.api('PATCH', `users/${user.id}`, { last_name: 'Bondar', language: 'UK' })
  await page.goto(`/users/${user.id}/edit`)
  await expect(page.getByText(`Last changed by ${vera.name}, just now`)).toBeVisible()
  await field(page, 'First name').fill('Olena')
  await historyLink(page).click()
  await expect(page).toHaveURL(`/users/${user.id}/edit?history=true`)
  await openEvent(page, vera.name)
  const changes = panel(page).getByRole('table', { name: 'Changes' })
  await expect(changes.getByRole('row')).toHaveCount(3)
  await expect(changes).toContainText(`Last name${user.last_name}Bondar`)
  await expect(changes).toContainText('LanguageDetect automaticallyUkrainian')

  await button(page, 'Put back Last name').click()
  await expect(dialog(page, 'Put back Last name?')).toBeVisible()
  await expect(preview(page).getByRole('row')).toHaveText(['FieldNowWill be', `Last nameBondar${user.last_name}`])
  await button(page, 'Put back').click()
  await expectToast(page, 'Last name put back.')
  await expect(panel(page).getByText(/Super Admin put back the last name of/)).toBeVisible()

  await button(page, 'Close history').click()
  await expect(page).toHaveURL(`/users/${user.id}/edit`)
  await expect(field(page, 'First name')).toHaveValue('Olena')
  await expect(page.getByText(/^You saved a newer version today at .*combined with it/)).toBeVisible()
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/users')
  await expect(heading(page)).toHaveText('Users')
  const saved = await api<User>('GET', `users/${user.id}`)
  expect(saved).toMatchObject({ first_name: 'Olena', last_name: user.last_name, language: 'UK' })
})
