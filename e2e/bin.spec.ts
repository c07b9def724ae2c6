import type { Page } from '@playwright/test'
import { binList } from '@watchdesk/contract/bin'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { User } from '@watchdesk/contract/users'
import { expectAccessible } from './accessible.ts'
import { expect, storeToken } from './test.ts'
import { button, dialog, heading, PASSWORD, row, rows, test, toast, unique } from './workspaces-page.ts'

const nameOf = ({ first_name, last_name }: User) => `${first_name} ${last_name}`
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })

async function openBin(page: Page, search = '') {
  await page.goto(`/bin${search && `?search=${encodeURIComponent(search)}`}`)
  await expect(heading(page)).toHaveText('Bin')
}

test('a deleted user is found in the bin after a reload, and restored', async ({ page, make }) => {
  const workspace = await make.workspace()
  const user = await make.user(workspace.id)
  await page.goto(`/users?search=${user.last_name}`)
  await button(page, `Delete ${nameOf(user)}`).click()
  await expect(dialog(page)).toContainText('You can undo this for 30 days, in the Bin.')
  await button(dialog(page).page(), 'Delete').click()
  await expect(toast(page)).toContainText('User removed successfully!')
  await page.reload()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bin', exact: true }).click()
  await expect(page).toHaveURL('/bin')
  const deleted = row(page, nameOf(user))
  for (const text of ['User', user.email, workspace.name, 'Super Admin', 'in 30 days'])
    await expect(deleted).toContainText(text)
  await button(page, `Restore ${nameOf(user)}`).click()
  await expect(toast(page)).toContainText(`${nameOf(user)} restored.`)
  await expect(deleted).toHaveCount(0)
  await expect(heading(page)).toBeFocused()
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page).toHaveURL(`/users/${user.id}/edit`)
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(user.email)
})

test('the question before deleting leads to the bin, and deletes nothing', async ({ page, make }) => {
  const dashboard = await make.dashboard()
  await page.goto('/dashboards')
  await button(page, `Delete ${dashboard.name}`).click()
  await dialog(page).getByRole('link', { name: 'Bin' }).click()
  await expect(heading(page)).toHaveText('Bin')
  await expect(dialog(page)).toHaveCount(0)
  await page.goto('/dashboards')
  await expect(row(page, dashboard.name)).toBeVisible()
})

test('a workspace returns with exactly the users that were deleted with it', async ({ page, api, make }) => {
  const workspace = await make.workspace()
  const [before, along] = [await make.user(workspace.id), await make.user(workspace.id)]
  await api('DELETE', `users/${before.id}`)
  await api('DELETE', `workspaces/${workspace.id}`)
  await openBin(page)
  await expect(row(page, workspace.name).filter({ hasText: 'With 1 user' })).toBeVisible()
  await expect(row(page, nameOf(along))).toHaveCount(0)
  await expect(row(page, nameOf(before))).toContainText('Their workspace is deleted. Restore the workspace first.')
  await expect(button(page, `Restore ${nameOf(before)}`)).toBeDisabled()
  await button(page, `Restore ${workspace.name}`).click()
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(heading(page)).toHaveText(workspace.name)
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText(nameOf(along))
  await openBin(page, before.last_name)
  await expect(button(page, `Restore ${nameOf(before)}`)).toBeEnabled()
})

test('a user whose email is taken is restored under another email', async ({ page, api, make, faults }) => {
  faults.allow(/status of 409/)
  const workspace = await make.workspace()
  const user = await make.user(workspace.id)
  await api('DELETE', `users/${user.id}`)
  const holder = await make.user(workspace.id, { email: user.email, first_name: 'Olha' })
  await openBin(page, user.last_name)
  await expect(row(page, nameOf(user))).toContainText(`${nameOf(holder)} now has the email ${user.email}.`)
  await button(page, `Restore ${nameOf(user)}`).click()
  await expect(dialog(page)).toHaveAccessibleName(`Restore ${nameOf(user)} with another email`)
  const email = dialog(page).getByRole('textbox', { name: 'Email' })
  await expect(email).toBeFocused()
  await email.fill('nobody')
  await email.press('Enter')
  await expect(email).toHaveAccessibleDescription('Email must be a valid email address.')
  await email.fill(user.email)
  await email.press('Enter')
  await expect(email).toHaveAccessibleDescription('A user with this email already exists.')
  await email.fill(`new.${user.email}`)
  await email.press('Enter')
  await expect(toast(page)).toContainText(`${nameOf(user)} restored.`)
  expect((await api<User>('GET', `users/${user.id}`)).email).toBe(`new.${user.email}`)
})

test('a workspace with taken emails asks for another email for each of these users', async ({
  page,
  api,
  make,
  faults,
}) => {
  faults.allow(/status of 422/)
  const [workspace, other] = [await make.workspace(), await make.workspace()]
  const users = [await make.user(workspace.id), await make.user(workspace.id), await make.user(workspace.id)]
  const [first, second, third] = users as [User, User, User]
  await api('DELETE', `workspaces/${workspace.id}`)
  for (const { email } of [first, third]) await make.user(other.id, { email, first_name: 'Olha', last_name: 'Bondar' })
  await openBin(page, workspace.name)
  await expect(row(page, workspace.name)).toContainText('Another user now has the email of one of its users.')
  await button(page, `Restore ${workspace.name}`).click()
  const field = (user: User) => dialog(page).getByRole('textbox', { name: `Email of ${nameOf(user)}` })
  await expect(dialog(page).getByRole('textbox')).toHaveCount(2)
  await expect(dialog(page)).toContainText(`Olha Bondar now has ${first.email}.`)
  await field(first).fill(`again.${first.email}`)
  await field(third).fill(second.email)
  await button(page, 'Restore').click()
  await expect(field(third)).toHaveAccessibleDescription(/A user with this email already exists/)
  await field(third).fill(`again.${third.email}`)
  await dialog(page).getByRole('button', { name: 'Restore' }).click()
  await expect(toast(page)).toContainText(`${workspace.name} restored.`)
  const emails = await Promise.all(users.map(async ({ id }) => (await api<User>('GET', `users/${id}`)).email))
  expect(emails).toEqual([`again.${first.email}`, second.email, `again.${third.email}`])
})

test('deleting for good asks for the name to be typed', async ({ page, api, make }) => {
  const workspace = await make.workspace()
  await make.user(workspace.id)
  await api('DELETE', `workspaces/${workspace.id}`)
  await openBin(page, workspace.name)
  await button(page, `Delete ${workspace.name} for good`).click()
  await expect(dialog(page)).toHaveAccessibleName(`Delete ${workspace.name} for good?`)
  await expect(dialog(page)).toContainText('the 1 user deleted with it')
  await expect(dialog(page)).toContainText('This cannot be undone.')
  const remove = dialog(page).getByRole('button', { name: 'Delete for good' })
  await expect(remove).toBeDisabled()
  await page.keyboard.type(workspace.name.toUpperCase())
  await page.keyboard.press('Enter')
  await expect(remove).toBeDisabled()
  await dialog(page).getByRole('textbox').fill(workspace.name)
  await remove.click()
  await expect(toast(page)).toContainText(`${workspace.name} deleted for good.`)
  await expect(page.getByText('No deleted records match.')).toBeVisible()
})

test('a range is selected with Shift, and restored at once, with the reasons of what was not', async ({
  page,
  api,
  make,
}) => {
  const [word, workspace] = [unique('Range'), await make.workspace()]
  const users: User[] = []
  for (const first_name of ['Ada', 'Ben', 'Cleo', 'Dan'])
    users.push(
      await make.user(workspace.id, { first_name, last_name: word, email: `${first_name}.${word}@example.com` }),
    )
  for (const { id } of users) await api('DELETE', `users/${id}`)
  await make.user(workspace.id, { email: users[1]?.email })
  await openBin(page, word)
  // The last deleted user comes first: Dan, Cleo, Ben, Ada.
  await box(page, `Dan ${word}`).check()
  await expect(bar(page)).toContainText('1 selected')
  await box(page, `Ben ${word}`).click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('3 selected')
  await expect(box(page, `Cleo ${word}`)).toBeChecked()
  await expect(box(page, `Ada ${word}`)).not.toBeChecked()
  await bar(page).getByRole('button', { name: 'Restore' }).click()
  await expect(dialog(page)).toHaveAccessibleName('2 of 3 records restored')
  await expect(dialog(page)).toContainText(`Ben ${word} (user): A user with this email already exists.`)
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Close' }).last().click()
  await expect(rows(page)).toHaveCount(2)
  await expect(bar(page)).toHaveCount(0)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(bar(page)).toContainText('2 selected')
  await button(page, 'Clear selection').click()
  await expect(bar(page)).toHaveCount(0)
})

test('by keyboard: find, select, restore', async ({ page, api, make }) => {
  const dashboards = [await make.dashboard(), await make.dashboard()] as [Dashboard, Dashboard]
  for (const { id } of dashboards) await api('DELETE', `powerbi_dashboards/${id}`)
  await openBin(page)
  await page.keyboard.press('/')
  await page.keyboard.type('reach')
  await expect(page).toHaveURL(/search=reach/i)
  await page.getByRole('combobox', { name: 'Kind' }).focus()
  await page.keyboard.press('ArrowDown')
  const kinds = Object.values(binList.filters.kind.options)
  await expect(page.getByRole('option')).toHaveText(kinds)
  // From the last one upwards.
  for (let place = kinds.length; place > kinds.indexOf('Dashboards'); place--) await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/kind=dashboard/)
  for (const { name } of dashboards) {
    await box(page, name).focus()
    await page.keyboard.press('Space')
  }
  await expect(bar(page)).toContainText('2 selected')
  await bar(page).getByRole('button', { name: 'Restore' }).focus()
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('2 records restored.')
  for (const { name } of dashboards) await expect(row(page, name)).toHaveCount(0)
})

test('the bar of the selection covers no row, also when the list is at its end', async ({ page, api, make }) => {
  await page.setViewportSize({ width: 1440, height: 600 })
  const [word, workspace] = [unique('Many'), await make.workspace()]
  for (let index = 0; index < 12; index += 1) {
    const { id } = await make.user(workspace.id, {
      first_name: `No${index}`,
      last_name: word,
      email: `${word}.${index}@example.com`,
    })
    await api('DELETE', `users/${id}`)
  }
  await openBin(page, word)
  await box(page, `No0 ${word}`).check()
  await page.mouse.wheel(0, 5000)
  await expect
    .poll(async () => {
      const [last, shown] = [await rows(page).last().boundingBox(), await bar(page).boundingBox()]
      return (last?.y ?? 0) + (last?.height ?? 0) <= (shown?.y ?? 0)
    })
    .toBe(true)
})

test('on a phone, deleted records are cards without sideways scrolling', async ({ page, api, make }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const workspace = await make.workspace()
  const user = await make.user(workspace.id)
  await api('DELETE', `users/${user.id}`)
  await openBin(page, user.last_name)
  const card = page.getByRole('list', { name: 'Deleted records' }).getByRole('listitem')
  await expect(card).toContainText(user.email)
  await expect(card).toContainText('Deleted for good in 30 days')
  await box(page, nameOf(user)).check()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await bar(page).getByRole('button', { name: 'Restore' }).click()
  await expect(toast(page)).toContainText(`${nameOf(user)} restored.`)
})

test('workspace admins see and restore what they deleted, and delete nothing for good', async ({
  page,
  api,
  make,
  watchdesk,
}) => {
  const workspace = await make.workspace()
  const admin = await make.user(workspace.id, { is_admin: true })
  const [own, bySuper] = [await make.user(workspace.id), await make.user(workspace.id)]
  const foreign = await make.user((await make.workspace()).id)
  await api('DELETE', `users/${bySuper.id}`)
  await api('DELETE', `users/${foreign.id}`)
  const login = await page.request.post('/api/v1/login', { data: { email: admin.email, password: PASSWORD } })
  const { access_token } = await login.json()
  await storeToken(page, watchdesk.url, access_token)
  await page.request.delete(`/api/v1/users/${own.id}`, { headers: { authorization: `Bearer ${access_token}` } })

  await openBin(page)
  await expect(rows(page)).toHaveCount(2)
  await expect(row(page, nameOf(bySuper))).toContainText('Only a super admin can restore this user.')
  await expect(button(page, `Restore ${nameOf(bySuper)}`)).toBeDisabled()
  await expect(page.getByRole('button', { name: /for good/ })).toHaveCount(0)
  await button(page, `Restore ${nameOf(own)}`).click()
  await expect(toast(page)).toContainText(`${nameOf(own)} restored.`)
})

test('an empty bin says what will appear there', async ({ page, make, watchdesk }) => {
  const workspace = await make.workspace()
  const admin = await make.user(workspace.id, { is_admin: true })
  const login = await page.request.post('/api/v1/login', { data: { email: admin.email, password: PASSWORD } })
  await storeToken(page, watchdesk.url, (await login.json()).access_token)
  await openBin(page)
  await expect(page.getByRole('main')).toContainText(
    'The bin is empty. Users of your workspace that are deleted appear here for 30 days, and can be restored.',
  )
})
