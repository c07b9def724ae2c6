import { currentUser } from '@watchdesk/contract/auth/session'
import { createUser } from '@watchdesk/contract/users'
import { getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { expectAccessible } from '../accessible.ts'
import { button, field, heading, row, select, toast } from '../workspaces-page.ts'
import { aUser, aWorkspace, ME } from './records.ts'
import { answerList, expect, test } from './test.ts'
import { answerUsers, PASSWORD } from './users.ts'

test('an auditor can open the sections of a workspace and change none of their fields', async ({
  page,
  backend,
  open,
}) => {
  const config = { featureflags: [], search_similarity_threshold: 0.5 }
  answerList(backend, listWorkspaces, [aWorkspace({ config })], getWorkspace)
  backend.answer(currentUser, { ...ME, is_super_admin: false, is_auditor: true })
  const sent: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await open('/workspaces/1/edit')
  await expect(heading(page)).toHaveText('Baltic')
  const advanced = page.getByRole('button', { name: /^Advanced configuration/ })
  await advanced.focus()
  await page.keyboard.press('Enter')
  await expect(advanced).toHaveAttribute('aria-expanded', 'true')
  const main = page.getByRole('main')
  for (const role of ['textbox', 'combobox'] as const) {
    for (const control of await main.getByRole(role).all()) await expect(control).toBeDisabled()
  }
  await select(page, 'Roles').click({ force: true, position: { x: 2, y: 2 } })
  await expect(page.getByRole('option')).toHaveCount(0)
  // The Tab key reaches the sections and links, and no field.
  await heading(page).focus()
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.matches('input, textarea, [role=slider]'))).toBe(false)
  }
  await expectAccessible(page)
  expect(sent).toEqual([])
})

test('a super admin makes someone an auditor, who is then no admin', async ({ page, backend, open }) => {
  answerUsers(backend, [aUser({ is_admin: true })])
  await open('/users/10/edit')
  const [admin, superAdmin, auditor] = ['Workspace admin', 'Super admin', 'Auditor'].map((name) =>
    page.getByRole('switch', { name: new RegExp(`^${name}`) }),
  )
  if (!admin || !superAdmin || !auditor) throw new Error('The form has three roles')
  await expect(auditor).toBeDisabled()
  await expect(page.getByText('An admin cannot be an auditor. Turn off the admin rights first.')).toBeVisible()
  await admin.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await expect(superAdmin).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(auditor).toBeFocused()
  await expect(page.getByText('Sees everything that super admins see, and can change nothing.')).toBeVisible()
  await page.keyboard.press('Space')
  await expect(auditor).toBeChecked()
  for (const other of [admin, superAdmin]) {
    await expect(other).toBeDisabled()
    await expect(other).not.toBeChecked()
  }
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText('saved')
  await open('/users?role=auditor')
  await expect(row(page, 'iryna@example.com').getByText('Auditor', { exact: true })).toBeVisible()
})

test('a super admin creates an auditor, and a workspace admin cannot', async ({ page, backend, open }) => {
  answerUsers(backend, [])
  await open('/users/create?workspace_id=1')
  await field(page, 'First name').fill('Olha')
  await field(page, 'Last name').fill('Audit')
  await field(page, 'Email').fill('olha@example.com')
  await field(page, 'Password').fill(PASSWORD)
  await page.getByRole('switch', { name: /^Auditor/ }).click({ force: true })
  await button(page, 'Create').click()
  await expect(row(page, 'olha@example.com')).toBeVisible()
  expect(backend.calls(createUser).map(({ body }) => body)).toMatchObject([{ is_auditor: true, is_admin: false }])

  backend.answer(currentUser, aUser({ is_admin: true }))
  await open('/users/create')
  const menu = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(menu).toHaveText(['Users', 'Workspaces', 'Activity', 'Bin'])
  await expect(select(page, 'Workspace')).toHaveValue('Atlas')
  await expect(select(page, 'Workspace')).toBeDisabled()
  await expect(page.getByRole('switch', { name: /^Super admin/ })).toBeDisabled()
  await expect(page.getByRole('switch', { name: /^Auditor/ })).toHaveCount(0)
})
