import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { button, expectError, field, heading, test, toast } from './workspaces-page.ts'

test('a duplicate email is marked at its field, when creating and when editing', async ({ page, make, faults }) => {
  faults.allow(REFUSED)
  const { id } = await make.workspace()
  const [one, two] = [await make.user(id), await make.user(id)]
  const taken = 'A user with this email already exists.'
  await page.goto(`/users/${two.id}/edit`)
  await field(page, 'Email').fill(one.email)
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText(taken)
  await expectError(field(page, 'Email'), taken)
  await expect(field(page, 'Email')).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type('.ua')
  await expect(field(page, 'Email')).not.toHaveAttribute('aria-invalid', 'true')
  await button(page, 'Save').click()
  await expect(heading(page)).toHaveText('Users')

  await page.goto(`/users/create?workspace_id=${id}`)
  await field(page, 'First name').fill('A')
  await field(page, 'Last name').fill('B')
  await field(page, 'Email').fill(one.email.toUpperCase())
  await button(page, 'Generate').click()
  await button(page, 'Create and add another').click()
  await expectError(field(page, 'Email'), taken)
  await expect(field(page, 'Email')).toBeFocused()
  await expect(page.getByRole('heading', { name: 'User created' })).toHaveCount(0)
})
