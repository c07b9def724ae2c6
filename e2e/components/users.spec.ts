import { createUser } from '@watchdesk/contract/users'
import { button, field, rows, select } from '../users-page.ts'
import { aUser } from './records.ts'
import { expect, test } from './test.ts'
import { answerUsers } from './users.ts'

test('a user is created by keyboard alone', async ({ page, backend, open }) => {
  answerUsers(backend, [aUser()])
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await open('/users')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('link', { name: 'Create user' }).focus()
  await press('Enter')
  // A form that creates something focuses its first field.
  await expect(select(page, 'Workspace')).toBeFocused()
  await page.keyboard.type('Vistula')
  await expect(page.getByRole('option')).toHaveText(['Vistula'])
  await press('ArrowDown')
  await expect(select(page, 'Workspace')).toHaveAttribute('aria-activedescendant', /./)
  await press('Enter')
  await expect(select(page, 'Workspace')).toHaveValue('Vistula')
  await press('Tab')
  await expect(select(page, 'Type')).toBeFocused()
  await press('Tab', 'Tab')
  await page.keyboard.type('Taras')
  await press('Tab')
  await page.keyboard.type('Melnyk')
  await press('Tab')
  await page.keyboard.type('typed@example.com')
  await press('Tab')
  await expect(field(page, 'Password')).toBeFocused()
  await press('Tab', 'Tab')
  await expect(button(page, 'Generate')).toBeFocused()
  await press('Enter')
  await expect(field(page, 'Password')).toHaveValue(/^.{17}$/)
  await press('Tab')
  await expect(page.getByRole('switch', { name: 'Invite the user instead' })).toBeFocused()
  await press('Tab', 'Space')
  await expect(page.getByRole('switch', { name: 'Workspace admin' })).toBeChecked()
  await press('Tab', 'Tab', 'Tab')
  await expect(button(page, 'Create and add another')).toBeFocused()
  await press('Tab')
  await expect(button(page, 'Create')).toBeFocused()
  await press('Enter')
  await expect(page).toHaveURL('/users')
  const person = { first_name: 'Taras', last_name: 'Melnyk', email: 'typed@example.com' }
  expect(backend.calls(createUser)).toMatchObject([{ body: { ...person, workspace_id: 2, is_admin: true } }])
})
