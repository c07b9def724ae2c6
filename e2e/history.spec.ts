import type { User } from '@watchdesk/contract/users'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expectAccessible } from './accessible.ts'
import { dialog, expectToast, historyLink, openEvent, panel, preview, test } from './history-page.ts'
import { REFUSED } from './session-page.ts'
import { expect, storeToken } from './test.ts'
import { button, choose, field, heading, PASSWORD, select } from './workspaces-page.ts'

const CONFIG = 'config/website_config'
const SHEETS = ['first-sheet-of-sources', 'second-sheet-of-sources'] as const

test('a changed field of a user is in its history, and can be put back', async ({ page, make, vera, api }) => {
  const { id } = await make.workspace()
  const user = await make.user(id)
  await page.goto(`/users/${user.id}/edit`)
  await expect(page.getByText('Created by Super Admin, just now')).toBeVisible()

  await vera.api('PATCH', `users/${user.id}`, { last_name: 'Bondar', language: 'UK' })
  await page.reload()
  await expect(page.getByText(`Last changed by ${vera.name}, just now`)).toBeVisible()
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

  // The form below has no unsaved changes, so it shows the values that were put back.
  await button(page, 'Close history').click()
  await expect(page).toHaveURL(`/users/${user.id}/edit`)
  await expect(field(page, 'Last name')).toHaveValue(user.last_name)
  await expect(heading(page)).toHaveText(`Edit User Iryna ${user.last_name}`)
  await expect(page.getByText('Last changed by Super Admin, just now')).toBeVisible()
  await field(page, 'First name').fill('Olena')
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/users')
  const saved = await api<User>('GET', `users/${user.id}`)
  expect(saved).toMatchObject({ first_name: 'Olena', last_name: user.last_name, language: 'UK' })
})

test('a whole workspace is put back to how it was, except for the fields that are left out', async ({
  page,
  make,
  api,
}) => {
  const { id, name, description } = await make.workspace()
  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Name').fill('Renamed')
  await field(page, 'Description').fill('Another description')
  await choose(page, 'Status', 'FREE_ACCESS')
  await button(page, 'Save').click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  await expect(heading(page)).toHaveText('Renamed')

  await historyLink(page).click()
  await openEvent(page, 'created the workspace')
  await button(page, 'After this change').click()
  const ask = dialog(page, 'Put everything back to how it was after this change?')
  await expect(preview(page).getByRole('rowheader')).toHaveText(['Name', 'Description', 'Status'])
  await expectAccessible(page)
  await ask.getByRole('checkbox', { name: 'Status' }).uncheck()
  await ask.getByRole('button', { name: 'Put back' }).click()
  await expectToast(page, 'Name and Description put back.')
  await button(page, 'Close history').click()
  await expect(heading(page)).toHaveText(name)
  expect(await api<Workspace>('GET', `workspaces/${id}`)).toMatchObject({ name, description, status: 'FREE_ACCESS' })
})

test('a dashboard and the website config have a history too', async ({ page, make, vera, api }) => {
  const { id, name } = await make.dashboard()
  await vera.api('PATCH', `powerbi_dashboards/${id}`, { name: `${name} of all` })
  await page.goto(`/dashboards/${id}/edit?history=true`)
  await openEvent(page, 'changed the name')
  await button(page, 'Put back Name').click()
  await button(page, 'Put back').click()
  await expectToast(page, 'Name put back.')
  await page.keyboard.press('Escape')
  await expect(field(page, 'Name')).toHaveValue(name)

  await api('PATCH', CONFIG, { sources_sheet_vk: SHEETS[0] })
  await vera.api('PATCH', CONFIG, { sources_sheet_vk: SHEETS[1] })
  await page.goto('/website_config')
  await expect(page.getByText(`Last changed by ${vera.name}, just now`)).toBeVisible()
  await historyLink(page).click()
  await openEvent(page, vera.name)
  await button(page, 'Put back VK sources').click()
  await expect(preview(page).getByRole('row').last()).toHaveText(`VK sources${SHEETS[1]}${SHEETS[0]}`)
  await button(page, 'Put back').click()
  await expectToast(page, 'VK sources put back.')
  await button(page, 'Close history').click()
  await expect(field(page, 'VK sources')).toHaveValue(SHEETS[0])
  await field(page, 'VK sources').fill('')
  await button(page, 'Save').click()
  await expectToast(page, 'Website config saved successfully!')
  await expect(page.getByText('Last changed by Super Admin, just now')).toBeVisible()
  await expect(page.getByText('newer version')).toHaveCount(0)
})

test('a password and ended sessions are in the history, but cannot be put back', async ({ page, make, api }) => {
  const { id } = await make.workspace()
  const user = await make.user(id, { is_admin: true })
  await page.request.post('/api/v1/login', { data: { email: user.email, password: PASSWORD } })
  await api('PATCH', `users/${user.id}`, { password: 'another quiet river', type: 'MODERATOR' })
  await page.goto(`/users/${user.id}/edit?history=true`)
  await openEvent(page, 'changed')
  await expect(panel(page).getByRole('rowheader', { name: 'Password' })).toBeVisible()
  await expect(panel(page).getByRole('rowheader', { name: 'Sessions' })).toBeVisible()
  await expect(panel(page).getByRole('button', { name: /^Put back/ })).toHaveCount(1)
  await expect(button(page, 'Put back Type')).toBeVisible()
  await button(page, 'Before this change').click()
  await expect(preview(page).getByRole('rowheader')).toHaveText(['Type'])
})

test('what no longer exists is explained: a deleted dashboard is left out, a deleted workspace cannot be put back', async ({
  page,
  make,
  api,
  faults,
}) => {
  // The name of a deleted workspace is not found.
  faults.allow(REFUSED)
  const [old, home, kept, deleted] = [
    await make.workspace(),
    await make.workspace(),
    await make.dashboard(),
    await make.dashboard(),
  ]
  const { id: _, version: __, config, ...body } = home
  const settings = { ...body, ...config, tags: undefined }
  await api('PUT', `workspaces/${home.id}`, { ...settings, powerbi_dashboards: [kept.id, deleted.id] })
  await api('PUT', `workspaces/${home.id}`, { ...settings, powerbi_dashboards: [] })
  await api('DELETE', `powerbi_dashboards/${deleted.id}`)
  await page.goto(`/workspaces/${home.id}?history=true`)
  await panel(page)
    .getByRole('button', { name: /^Details: .*changed the/ })
    .first()
    .click()
  await page.getByRole('button', { name: /^Put back .*dashboards/i }).click()
  await expect(preview(page)).toContainText(kept.name)
  await expect(preview(page)).toContainText(`Left out, because it no longer exists: dashboard ${deleted.id}.`)
  await button(page, 'Cancel').click()

  const user = await make.user(old.id)
  await api('PATCH', `users/${user.id}`, { workspace_id: home.id, type: 'MODERATOR' })
  await api('DELETE', `workspaces/${old.id}`)
  await page.goto(`/users/${user.id}/edit?history=true`)
  await openEvent(page, 'changed')
  await button(page, 'Before this change').click()
  const ask = dialog(page, /^Put everything back/)
  await expect(preview(page)).toContainText(`The workspace ${old.name} is deleted. Restore it first.`)
  await expect(ask.getByRole('checkbox', { name: 'Workspace' })).toBeDisabled()
  await expect(ask.getByRole('checkbox', { name: 'Workspace' })).not.toBeChecked()
  await expect(ask.getByRole('checkbox', { name: 'Type' })).toBeChecked()
  await expectAccessible(page)
  await ask.getByRole('button', { name: 'Put back' }).click()
  await expectToast(page, 'Type put back.')
})

test('if somebody saves while the preview is open, it shows the new values before anything is put back', async ({
  page,
  make,
  api,
  vera,
  faults,
}) => {
  faults.allow(REFUSED)
  const { id } = await make.workspace()
  const user = await make.user(id)
  await api('PATCH', `users/${user.id}`, { type: 'MODERATOR' })
  await page.goto(`/users/${user.id}/edit?history=true`)
  await openEvent(page, 'changed the type')
  await button(page, 'Put back Type').click()
  await expect(preview(page).getByRole('row').last()).toHaveText('TypeMODERATORSTANDARD')
  await vera.api('PATCH', `users/${user.id}`, { type: 'UNDERPRIVILEGED' })
  await button(page, 'Put back').click()
  await expect(page.getByRole('alert')).toContainText(`changed by ${vera.name} today at`)
  await expect(page.getByRole('alert')).toContainText('Check them again.')
  await expect(preview(page).getByRole('row').last()).toHaveText('TypeUNDERPRIVILEGEDSTANDARD')
  await button(page, 'Put back').click()
  await expectToast(page, 'Type put back.')
  expect(await api<User>('GET', `users/${user.id}`)).toMatchObject({ type: 'STANDARD' })
})

test('a user who was deleted meanwhile is restored from the bin first', async ({ page, make, api, vera, faults }) => {
  faults.allow(REFUSED)
  const { id } = await make.workspace()
  const user = await make.user(id)
  await api('PATCH', `users/${user.id}`, { type: 'MODERATOR' })
  await page.goto(`/users/${user.id}/edit?history=true`)
  await openEvent(page, 'changed the type')
  await vera.api('DELETE', `users/${user.id}`, {})
  await button(page, 'Put back Type').click()
  await expect(page.getByRole('alert')).toHaveText('This user is deleted. Restore it first.')
  await expect(page.getByRole('link', { name: 'Open the bin' })).toHaveAttribute('href', '/bin')
})

test('the history works with the keyboard, and Escape closes only what is on top', async ({ page, make, api }) => {
  const { id } = await make.workspace()
  const user = await make.user(id)
  await api('PATCH', `users/${user.id}`, { type: 'MODERATOR' })
  await page.goto(`/users/${user.id}/edit`)
  await historyLink(page).focus()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toBeVisible()
  const focused = page.locator(':focus')
  async function tabTo(name: RegExp) {
    for (let presses = 0; presses < 10; presses++) {
      await page.keyboard.press('Tab')
      if (name.test((await focused.getAttribute('aria-label')) ?? (await focused.textContent()) ?? '')) return
    }
    throw new Error(`Tab does not reach ${name}`)
  }
  await tabTo(/^Details: .*changed the type/)
  await page.keyboard.press('Enter')
  await expect(button(page, 'Put back Type')).toBeVisible()
  await tabTo(/^Put back Type/)
  await page.keyboard.press('Enter')
  await expect(button(page, 'Cancel')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Put back Type?')).toHaveCount(0)
  await expect(button(page, 'Put back Type')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Cancel')).toBeFocused()
  await expect(button(page, 'Put back')).toBeEnabled()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Type put back.')
  await expect(dialog(page, 'Put back Type?')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(page).toHaveURL(`/users/${user.id}/edit`)
  await expect(historyLink(page)).toBeFocused()
  await expect(select(page, 'Type')).toHaveValue('STANDARD')
})

test('Back closes the history, and a form with unsaved changes stays as it is', async ({ page, make }) => {
  const { id } = await make.workspace()
  await page.goto(`/workspaces/${id}`)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await field(page, 'Description').fill('Not saved yet')
  await historyLink(page).click()
  await expect(panel(page)).toBeVisible()
  await page.goBack()
  await expect(panel(page)).toHaveCount(0)
  await expect(page).toHaveURL(`/workspaces/${id}/edit`)
  await expect(field(page, 'Description')).toHaveValue('Not saved yet')
  await historyLink(page).click()
  await button(page, 'Close history').click()
  await expect(panel(page)).toHaveCount(0)
  await expect(field(page, 'Description')).toHaveValue('Not saved yet')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  // Closing it has left no extra entry behind.
  await page.goBack()
  await expect(dialog(page, 'Leave without saving?')).toBeVisible()
})

test('a field that was put back stays, and so do the unsaved changes of the form', async ({
  page,
  make,
  api,
  vera,
  faults,
}) => {
  faults.allow(REFUSED)
  const { id } = await make.workspace()
  const user = await make.user(id)
  await vera.api('PATCH', `users/${user.id}`, { type: 'MODERATOR' })
  await page.goto(`/users/${user.id}/edit`)
  await field(page, 'First name').fill('Olena')
  await historyLink(page).click()
  await openEvent(page, 'changed the type')
  await button(page, 'Put back Type').click()
  await button(page, 'Put back').click()
  await expectToast(page, 'Type put back.')
  await button(page, 'Close history').click()
  await expect(field(page, 'First name')).toHaveValue('Olena')
  await expect(page.getByText(/^You saved a newer version today at .*combined with it/)).toBeVisible()
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/users')
  expect(await api<User>('GET', `users/${user.id}`)).toMatchObject({ first_name: 'Olena', type: 'STANDARD' })
})

test('a workspace admin puts back a user of the workspace, but only reads the history of the workspace', async ({
  page,
  make,
  vera,
  watchdesk,
}) => {
  const { id } = await make.workspace()
  const user = await make.user(id)
  const { email } = await make.user(id, { is_admin: true })
  await vera.api('PATCH', `users/${user.id}`, { type: 'MODERATOR' })
  const login = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  await storeToken(page, watchdesk.url, (await login.json()).access_token)

  await page.goto(`/users/${user.id}/edit?history=true`)
  await openEvent(page, 'changed the type')
  await button(page, 'Put back Type').click()
  await button(page, 'Put back').click()
  await expectToast(page, 'Type put back.')

  await page.goto(`/workspaces/${id}?history=true`)
  await openEvent(page, 'created the workspace')
  await expect(panel(page).getByRole('rowheader', { name: 'Description' })).toBeVisible()
  await expect(panel(page).getByRole('button', { name: /this change|Put back/ })).toHaveCount(0)
})
