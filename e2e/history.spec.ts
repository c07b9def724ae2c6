import type { User } from '@watchdesk/contract/users'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expectAccessible } from './accessible.ts'
import { dialog, expectToast, historyLink, openEvent, panel, preview, test } from './history-page.ts'
import { REFUSED } from './session-page.ts'
import { expect, storeToken } from './test.ts'
import { button, choose, field, heading, PASSWORD } from './workspaces-page.ts'

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

test('a dashboard and the website config have a history too, and saving a form does not report its own newer version', async ({
  page,
  make,
  vera,
  api,
}) => {
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
  for (const sheet of [SHEETS[1], '']) {
    await field(page, 'VK sources').fill(sheet)
    await button(page, 'Save').click()
    await expect(page.getByText('Unsaved changes')).toHaveCount(0)
    await expectToast(page, 'Website config saved successfully!')
    await expect(page.getByText('Last changed by Super Admin, just now')).toBeVisible()
    await expect(page.getByText('newer version')).toHaveCount(0)
  }
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
