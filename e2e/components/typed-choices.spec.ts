import type { Locator, Page } from '@playwright/test'
import { listDashboards } from '@watchdesk/contract/dashboards'
import { vectorizeNarrative } from '@watchdesk/contract/narratives-vectorization'
import { createUser, listUsers } from '@watchdesk/contract/users'
import { importUsers } from '@watchdesk/contract/users-import'
import { listWorkspaces, updateWorkspace } from '@watchdesk/contract/workspaces'
import { button, chosen, expectError, field, select } from '../workspaces-page.ts'
import { aDashboard, aUser, aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'
import { ATLAS, answerImport, answerUsers, VISTULA } from './users.ts'

const MESSAGE = 'Choose from the list, or clear the text.'
const NORTH = aWorkspace({ id: 3, name: 'Atlas North' })

test.beforeEach(({ backend }) => answerUsers(backend, []))

/** Submits the form with Ctrl+S or Enter, so that the focus stays in the field. */
const sendFrom = (input: Locator) => input.evaluate((element: HTMLInputElement) => element.form?.requestSubmit())

test('names typed in full are saved with a click and with a key; half a name is not lost', async ({
  page,
  backend,
  open,
}) => {
  backend.answer(updateWorkspace, ATLAS)
  await open('/workspaces/1/edit')
  for (const [label, name, send] of [
    ['Feature flags', 'exports', () => button(page, 'Save').click()],
    ['Roles', 'analyst', () => sendFrom(select(page, 'Roles'))],
  ] as const) {
    const half = `${name.slice(0, -1)}?`
    await select(page, label).fill(half)
    await send()
    await expectError(select(page, label), MESSAGE)
    await expect(select(page, label)).toBeFocused()
    await expect(select(page, label)).toHaveValue(half)
    await expect(page).toHaveURL('/workspaces/1/edit')
    await select(page, label).fill(name.toUpperCase())
    await expect(select(page, label)).not.toHaveAttribute('aria-invalid', 'true')
  }
  await select(page, 'Available case types').fill('FRAUD')
  await sendFrom(select(page, 'Available case types'))
  await expect(page).toHaveURL('/workspaces/1')
  const names = { featureflags: ['exports'], roles: ['analyst'], available_case_types: ['fraud'] }
  expect(backend.calls(updateWorkspace)).toMatchObject([{ body: names }])
})

test('a searched dropdown closes after selecting, so that it does not cover other controls; a name is chosen when the field is left', async ({
  page,
  backend,
  open,
}) => {
  answerUsers(backend, [], [aWorkspace({ config: { available_case_types: ['fraud'] } })])
  const dashboards = [...'abcdefghijkl'].map((letter, id) => aDashboard({ id: id + 1, name: `Reach ${letter}` }))
  answerList(backend, listDashboards, dashboards)
  await open('/workspaces/1/edit')
  // There is room below it, so the list does not move to the other side as it gets shorter.
  await select(page, 'PowerBI dashboards').evaluate((input) => input.scrollIntoView({ block: 'center' }))
  await select(page, 'PowerBI dashboards').fill('Reach a')
  await page.getByRole('option', { name: 'Reach a', exact: true }).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await page.getByLabel('Clear available case types').click()
  await expect(chosen(page, 'Available case types')).toHaveCount(0)
  // Another one can be added right away.
  await select(page, 'PowerBI dashboards').fill('Reach b')
  await page.keyboard.press('Tab')
  await expect(chosen(page, 'PowerBI dashboards')).toHaveText(['Reach a', 'Reach b'])
})

test('tabbing through a form opens no dropdown over the button below, and what is typed into a choice is kept', async ({
  page,
  backend,
  open,
}) => {
  backend.answer(vectorizeNarrative, { execution_date: '2026-11-15T09:30:00.000Z' })
  await open('/narratives_vectorization')
  await field(page, 'Narrative id').fill('7')
  await page.keyboard.press('Tab')
  await expect(select(page, 'Platforms')).toBeFocused()
  await button(page, 'Trigger vectorization').click({ trial: true, timeout: 5_000 })
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option').first()).toBeVisible()

  await select(page, 'Platforms').fill('vkontakte')
  await button(page, 'Trigger vectorization').click()
  await expectError(select(page, 'Platforms'), MESSAGE)
  expect(backend.calls(vectorizeNarrative)).toEqual([])
  await select(page, 'Platforms').fill('vk')
  await select(page, 'Content types').fill('post')
  await sendFrom(select(page, 'Content types'))
  await expect(page.getByText('Vectorization of narrative 7')).toBeVisible()
  const sent = { narrative_id: 7, platforms: ['VK'], content_types: ['POST'] }
  expect(backend.calls(vectorizeNarrative).map(({ body }) => body)).toEqual([sent])
})

test('a workspace typed by its name is chosen in the form of a user when the field is left, and on Enter', async ({
  page,
  backend,
  open,
}) => {
  const picker = select(page, 'Workspace')
  await open('/users/create')
  await typeName(page, 'Atlas')
  await page.keyboard.press('Tab')
  await expect(picker).toHaveValue('Atlas')

  await typeName(page, 'Vistula')
  await page.keyboard.press('Enter')
  await expect(picker).toHaveValue('Vistula')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(field(page, 'First name')).not.toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Enter')
  await expectError(field(page, 'First name'), 'First name is required!')
  await expect(picker).toHaveValue('Vistula')
  await expect(picker).not.toHaveAttribute('aria-invalid', 'true')

  for (const text of ['Nowhere', '']) {
    await picker.fill(text)
    await page.keyboard.press('Tab')
    await expect(picker).toHaveValue('Vistula')
  }

  await field(page, 'First name').fill('Olena')
  await field(page, 'Last name').fill('Marchenko')
  await field(page, 'Email').fill('olena@example.com')
  await button(page, 'Generate').click()
  await typeName(page, 'Atlas')
  await sendFrom(picker)
  await expect(page).toHaveURL('/users')
  expect(backend.calls(createUser)).toMatchObject([{ body: { workspace_id: ATLAS.id } }])
})

test('Enter in the list of workspaces adds nobody; the next one adds the users', async ({ page, backend, open }) => {
  answerImport(backend)
  await open('/users/import')
  await field(page, 'Emails and names').fill('ada.winter@example.com')
  await expect(button(page, 'Add 1 user')).toBeVisible()
  await typeName(page, 'Atlas')
  await page.keyboard.press('Enter')
  await expect(select(page, 'Workspace')).toHaveValue('Atlas')

  await select(page, 'Workspace').fill('Nowhere')
  await expect(page.getByText('No workspaces match.')).toBeVisible()
  await page.keyboard.press('Enter')
  await typeName(page, 'Vistula')
  await page.keyboard.press('Enter')
  await expect(select(page, 'Workspace')).toHaveValue('Vistula')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  expect(backend.calls(importUsers)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '1 user added' })).toBeVisible()
  expect(backend.calls(importUsers)).toMatchObject([{ body: { workspace_id: VISTULA.id } }])
})

test('Enter chooses the highlighted workspace, also when the text is the name of another; a name that two have is not chosen', async ({
  page,
  backend,
  open,
}) => {
  answerUsers(backend, [], [ATLAS, NORTH])
  await open('/users')
  await select(page, 'Workspace').fill('Atlas')
  await expect(page.getByRole('option')).toHaveText(['Atlas', 'Atlas North'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/users?workspace_id=${NORTH.id}`)

  answerUsers(backend, [], [ATLAS, aWorkspace({ id: 3, name: 'Atlas' })])
  await open('/users/create')
  await select(page, 'Workspace').fill('Atlas')
  await expect(page.getByRole('option')).toHaveText(['Atlas', 'Atlas'])
  await page.keyboard.press('Tab')
  await expect(select(page, 'Workspace')).toHaveValue('')
})

/** Opens a select, types right away, and presses the keys before the matches are there. */
async function typeAndPress(input: Locator, text: string, keys: string[], hold = () => () => {}) {
  const page = input.page()
  await input.click()
  await expect(page.getByRole('option').first()).toBeVisible()
  const release = hold()
  await input.pressSequentially(text)
  for (const key of keys) await page.keyboard.press(key)
  return release
}

test('Enter, or an arrow and Enter, right after the text choose from its matches, not from the list before', async ({
  page,
  backend,
  open,
}) => {
  answerUsers(backend, [aUser({ id: 9, last_name: 'Adams' }), aUser()], [VISTULA, ATLAS, NORTH])
  const picker = select(page, 'Workspace')
  const arrow = ['ArrowDown', 'Enter']
  await open('/users/create')
  const release = await typeAndPress(picker, 'tlas', arrow, () => backend.hold(listWorkspaces))
  await expect(picker).toHaveValue('tlas')
  release()
  await expect(picker).toHaveValue('Atlas')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(field(page, 'First name')).not.toHaveAttribute('aria-invalid', 'true')

  await open('/users')
  await typeAndPress(picker, 'north', ['Enter'])
  await expect(page).toHaveURL(`/users?workspace_id=${NORTH.id}`)

  await open('/activity')
  const releaseUsers = await typeAndPress(select(page, 'Person'), 'Shevchuk', arrow, () => backend.hold(listUsers))
  await expect(select(page, 'Person')).toHaveValue('Shevchuk')
  await expect(page).toHaveURL('/activity')
  releaseUsers()
  await expect(page).toHaveURL('/activity?actor_id=10')
})

test('keys that wait for matches are dropped when the text changes', async ({ page, backend, open }) => {
  answerUsers(backend, [], [VISTULA, ATLAS, NORTH])
  const picker = select(page, 'Workspace')
  await open('/users/create')
  const keys = ['ArrowDown', 'ArrowDown', 'Enter']
  const release = await typeAndPress(picker, 'Atlas', keys, () => backend.hold(listWorkspaces))
  await expect(picker).toHaveValue('Atlas')
  await picker.pressSequentially(' n')
  release()
  await expect(page.getByRole('option')).toHaveText(['Atlas North'])
  await expect(picker).toHaveValue('Atlas n')
  await page.keyboard.press('Enter')
  await expect(picker).toHaveValue('Atlas North')
})

test('Enter and Tab filter the users by the workspace typed, and by none once the text is empty', async ({
  page,
  backend,
  open,
}) => {
  const picker = select(page, 'Workspace')
  await open('/users')
  for (const [{ id, name }, key] of [
    [ATLAS, 'Enter'],
    [VISTULA, 'Tab'],
  ] as const) {
    await typeName(page, name)
    await page.keyboard.press(key)
    await expect(page).toHaveURL(`/users?workspace_id=${id}`)
    await expect(picker).toHaveValue(name)
    await expect(page.getByRole('listbox')).toHaveCount(0)
  }
  await picker.fill('Nowhere')
  await expect(page.getByText('No workspaces match.')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(picker).toHaveValue('Vistula')
  await expect(page).toHaveURL(`/users?workspace_id=${VISTULA.id}`)

  await picker.fill('')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/users')
  await expect(picker).toHaveValue('')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  expect(backend.calls(listUsers).map(({ query }) => query.workspace_ids)).toContain('2')
})

test('a filter for a workspace that does not exist stays when its empty field is left', async ({ page, open }) => {
  await open('/users?workspace_id=999999')
  await expectError(select(page, 'Workspace'), 'This workspace does not exist. Choose another one.')
  await select(page, 'Workspace').focus()
  await page.keyboard.press('Tab')
  await expect(select(page, 'Workspace')).not.toBeFocused()
  await expectError(select(page, 'Workspace'), 'This workspace does not exist. Choose another one.')
  await expect(page).toHaveURL('/users?workspace_id=999999')
})

/** Types the name in another letter case, and waits until the list contains only matches. */
async function typeName(page: Page, name: string) {
  await select(page, 'Workspace').fill(name.toUpperCase())
  await expect(page.getByRole('option')).toHaveText([name])
}
