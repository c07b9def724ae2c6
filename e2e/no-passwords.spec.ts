import type { Page } from '@playwright/test'
import { section } from './account-page.ts'
import { seed, unique } from './seed.ts'
import { expect, test } from './test.ts'
import { button, choose, field, fillPerson, heading, toast, toggle } from './users-page.ts'

test('a server without passwords: users are created without one, and nothing offers one', async ({
  page,
  watchdesk,
}) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Provider'))
  const person = await user(id)
  await turnOffPasswords(page)
  let sent: object | undefined
  await page.route('**/api/v1/users/', (route) => {
    sent = route.request().postDataJSON()
    return route.fulfill({ status: 201, json: { ...person, ...sent } })
  })

  await page.goto('/users/create')
  await choose(page, 'Workspace', name)
  await expect(field(page, 'Password')).toHaveCount(0)
  await expect(toggle(page, 'Invite the user instead')).toHaveCount(0)
  await fillPerson(page, { first: 'Nadia', last: 'Hlushko', email: person.email })
  await button(page, 'Create').click()
  await expect(toast(page)).toContainText('User Nadia Hlushko created.')
  expect(sent).toMatchObject({ email: person.email, workspace_id: id, invite: false })
  expect(sent).not.toHaveProperty('password')
  await expect(section(page, 'User created')).toHaveCount(0)

  await page.goto(`/users/${person.id}/edit`)
  await expect(section(page, 'Access').getByRole('heading', { name: 'Second factor' })).toBeVisible()
  await expect(section(page, 'Access').getByRole('heading', { name: 'Password' })).toHaveCount(0)
  await expect(toggle(page, 'Change password')).toHaveCount(0)

  await page.goto('/users/import')
  await expect(heading(page)).toHaveText('Add many users')
  await expect(toggle(page, 'Workspace admin')).toBeVisible()
  await expect(toggle(page, 'Invite them')).toHaveCount(0)
  await expect(page.getByText('password')).toHaveCount(0)

  await page.goto('/account')
  await expect(section(page, 'Second factor')).toContainText('you sign in without one')
  await expect(page.getByRole('heading', { name: 'Password' })).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'On this page' })).not.toContainText('Password')
})

async function turnOffPasswords(page: Page) {
  await page.route('**/api/v1/users/me', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), password_login: false } })
  })
}
