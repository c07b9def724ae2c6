import { inviteUser } from '@watchdesk/contract/users'
import { section } from '../account-page.ts'
import { button, dialog, field, row, toast, toggle } from '../users-page.ts'
import { aUser } from './records.ts'
import { expect, test } from './test.ts'
import { answerImport, answerUsers } from './users.ts'

const LINK = 'https://desk.example.com/set_password#Ab3dEf'

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']))

test('a link is not lost by Save or Back without a question, until it is copied', async ({ page, backend, open }) => {
  answerUsers(backend, [aUser({ is_admin: true })])
  backend.answer(inviteUser, { link: LINK, sent_to: null, expires_at: '2036-11-15T09:30:00.000Z' })
  const access = section(page, 'Access')
  const create = access.getByRole('button', { name: 'Create a password link' })
  await open('/users?search=Shevchuk')
  await row(page, 'Shevchuk').getByRole('link', { name: 'Edit' }).click()
  await expect(page).toHaveURL('/users/10/edit')
  await create.press('Enter')
  await expect(access.getByText(LINK)).toBeVisible()

  await page.goBack()
  await expect(dialog(page)).toHaveAccessibleName('Leave without the link?')
  await button(page, 'Stay').click()
  await field(page, 'Last name').fill('Shevchuk-Shevchenko')
  await button(page, 'Save').click()
  await expect(dialog(page)).toHaveAccessibleName('Leave without the link?')
  await button(page, 'Stay').click()
  await expect(access.getByText(LINK)).toBeVisible()
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await button(page, 'Save').click()
  await button(page, 'Leave').click()
  await expect(toast(page)).toContainText('saved.')
  await expect(page).toHaveURL('/users?search=Shevchuk')

  await open('/users/10/edit')
  await create.press('Enter')
  await access.getByRole('button', { name: 'Copy link of' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(LINK)
  await page.getByRole('main').getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page).toHaveURL('/users')
})

test('many users are invited at once, and links that were all copied are left without a question', async ({
  page,
  backend,
  open,
}) => {
  answerUsers(backend, [])
  answerImport(backend)
  await open('/users/import?workspace_id=1')
  const people = 'Ada Ivanenko <ada@example.com>\nIhor Ivanenko <ihor@example.com>'
  await page.getByRole('textbox', { name: 'Emails and names' }).fill(people)
  const noRole = page.getByText('cannot sign in to this console without one of the roles')
  await expect(noRole).toHaveCount(0)
  await toggle(page, 'Invite them').press('Space')
  await expect(noRole).toBeVisible()
  await toggle(page, 'Workspace admin').press('Space')
  await expect(noRole).toHaveCount(0)
  await button(page, 'Add 2 users').click()
  await expect(page.getByText('Download the result with the links now.')).toBeVisible()
  const links = section(page, 'Links')
  await expect(links).toContainText('Each link is valid for 72 hours.')
  await expect(links.getByRole('link')).toHaveCount(0)
  await expect(page.getByRole('grid', { name: 'Result' })).not.toContainText('set_password')
  await button(page, 'Copy link of Ada Ivanenko').click()
  await page.getByRole('link', { name: 'Go to Users' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave without the links?')
  await button(page, 'Stay').click()
  await button(page, 'Copy link of Ihor Ivanenko').click()
  await expect(links.getByTitle('Copied', { exact: true }).last()).toBeVisible()
  await page.getByRole('link', { name: 'Go to Users' }).click()
  await expect(page).toHaveURL('/users')
})
