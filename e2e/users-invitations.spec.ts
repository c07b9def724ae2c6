import { readFile } from 'node:fs/promises'
import { expectAccessible } from './accessible.ts'
import { section } from './account-page.ts'
import { PASSWORD, seed, unique } from './seed.ts'
import { expect, test } from './test.ts'
import { button, chooseWorkspace, expectError, field, fillPerson, toast, toggle } from './users-page.ts'

const LINK = /\/set_password#\S+$/

test('an invited user gets a link instead of a password, which is shown once', async ({ page, watchdesk, faults }) => {
  faults.allow(/401/)
  const { workspace, token } = await seed(page, watchdesk)
  const { name } = await workspace(unique('Invited'))
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
  await expectAccessible(page)
  await button(page, 'Dismiss').click()
  await expect(page.getByText(LINK)).toHaveCount(0)

  const headers = { authorization: `Bearer ${token}` }
  const found = await page.request.get(`/api/v1/users/?search=${email}&page=1&page_size=20`, { headers })
  const { id } = (await found.json()).objects[0]
  await page.goto(`/users/${id}/edit`)
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

test('many users are invited at once, and the result has their links', async ({ page, context, watchdesk }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { workspace } = await seed(page, watchdesk)
  const { name } = await workspace(unique('Invited'))
  await page.goto('/users/import')
  const email = `${unique('ada')}@example.com`
  await page.getByRole('textbox', { name: 'Emails and names' }).fill(`Ada Ivanenko <${email}>\n${email}`)
  await expect(page.getByRole('grid', { name: 'People to add' })).toContainText('repeated in the list')
  await chooseWorkspace(page, name)
  const noRole = page.getByText('cannot sign in to this console without one of the roles')
  await expect(noRole).toHaveCount(0)
  await toggle(page, 'Invite them').press('Space')
  await expect(noRole).toBeVisible()
  await toggle(page, 'Workspace admin').press('Space')
  await expect(noRole).toHaveCount(0)
  await button(page, 'Add 1 user').click()
  await expect(page.getByRole('heading', { name: '1 of 2 users added' })).toBeVisible()
  await expect(page.getByText('Download the result with the links now.')).toBeVisible()
  const links = section(page, 'Links')
  await expect(links).toContainText('Each link is valid for 72 hours.')
  const link = await links.getByText(LINK).innerText()
  await expect(links.getByRole('link')).toHaveCount(0)
  await expect(page.getByRole('grid', { name: 'Result' })).not.toContainText('set_password')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to Users' }).click()
  await expect(page.getByRole('dialog')).toHaveAccessibleName('Leave without the links?')
  await button(page, 'Stay').click()
  const coming = page.waitForEvent('download')
  await button(page, 'Download result as CSV').click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/^new-users-with-links-/)
  expect(await readFile(await file.path(), 'utf8')).toContain(`${link},72 hours,added,`)
  await button(page, 'Copy link of Ada Ivanenko').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link)
})
