import type { Locator, Page } from '@playwright/test'
import { hold } from './hold.ts'
import { expect } from './test.ts'
import { button, chosen, expectError, field, nextWrite, select, test, unique } from './workspaces-page.ts'

const MESSAGE = 'Choose from the list, or clear the text.'

/** Submits the form with Ctrl+S or Enter, so that the focus stays in the field. */
const sendFrom = (field: Locator) => field.evaluate((input: HTMLInputElement) => input.form?.requestSubmit())

const ACCESS = [
  ['Feature flags', 'featureflags', 'all_featureflags'],
  ['Roles', 'roles', 'all_roles'],
  ['Available case types', 'available_case_types', 'case_types'],
] as const

for (const how of ['a click on Save', 'a key'] as const) {
  test(`names typed in full are saved with ${how}; half a name is not lost`, async ({ page, make, api }) => {
    const { id } = await make.workspace({ featureflags: [], roles: [], available_case_types: [] })
    await page.goto(`/workspaces/${id}/edit`)
    const typed: Record<string, string[]> = {}
    const send = (label: string) => (how === 'a key' ? sendFrom(select(page, label)) : button(page, 'Save').click())
    for (const [label, key, path] of ACCESS) {
      const [name = ''] = await api<string[]>('GET', `config/${path}`)
      await select(page, label).pressSequentially(`${name.slice(0, -1)}?`)
      await send(label)
      await expectError(select(page, label), MESSAGE)
      await expect(select(page, label)).toBeFocused()
      await expect(select(page, label)).toHaveValue(`${name.slice(0, -1)}?`)
      await expect(page).toHaveURL(`/workspaces/${id}/edit`)
      await select(page, label).fill(name.toUpperCase())
      await expect(select(page, label)).not.toHaveAttribute('aria-invalid', 'true')
      typed[key] = [name]
    }
    const sent = nextWrite(page, 'PUT')
    await send('Available case types')
    expect((await sent).body).toMatchObject(typed)
    await expect(page).toHaveURL(`/workspaces/${id}`)
  })
}

test('a dashboard typed by its name is chosen when the field is left', async ({ page, make }) => {
  const { id } = await make.workspace()
  const { name } = await make.dashboard()
  await page.goto(`/workspaces/${id}/edit`)
  await select(page, 'PowerBI dashboards').fill(name)
  await page.keyboard.press('Tab')
  await expect(chosen(page, 'PowerBI dashboards')).toHaveText([name])
})

test('a searched dropdown closes after selecting, so that it does not cover other controls', async ({ page, make }) => {
  const { id } = await make.workspace({ available_case_types: ['fraud'] })
  const names: string[] = []
  for (let count = 0; count < 12; count += 1) names.push((await make.dashboard()).name)
  await page.goto(`/workspaces/${id}/edit`)
  // There is room below it, so the list does not move to the other side as it gets shorter.
  await select(page, 'PowerBI dashboards').evaluate((input) => input.scrollIntoView({ block: 'center' }))
  await select(page, 'PowerBI dashboards').fill(names[0] ?? '')
  await page.getByRole('option', { name: names[0], exact: true }).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await page.getByLabel('Clear available case types').click()
  await expect(chosen(page, 'Available case types')).toHaveCount(0)
  // Another one can be added right away.
  await select(page, 'PowerBI dashboards').fill(names[1] ?? '')
  await page.getByRole('option', { name: names[1], exact: true }).click()
  await expect(chosen(page, 'PowerBI dashboards')).toHaveText(names.slice(0, 2))
})

test('the trigger of a vectorization keeps what is typed into its choices', async ({ page }) => {
  const sent: unknown[] = []
  await page.route('**/api/v1/airflow/vectorize-narrative', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent.push(route.request().postDataJSON())
    await route.fulfill({ json: { execution_date: '2026-11-15T09:30:00.000Z' } })
  })
  await page.goto('/narratives_vectorization?narrative_id=7')
  await select(page, 'Platforms').pressSequentially('vkontakte')
  await trigger(page).click()
  await expectError(select(page, 'Platforms'), MESSAGE)
  expect(sent).toEqual([])
  await select(page, 'Platforms').fill('vk')
  await select(page, 'Content types').fill('post')
  await sendFrom(select(page, 'Content types'))
  await expect(page.getByText('Vectorization of narrative 7')).toBeVisible()
  expect(sent).toEqual([{ narrative_id: 7, platforms: ['VK'], content_types: ['POST'] }])
})

function trigger(page: Page) {
  return button(page, 'Trigger vectorization')
}

test('tabbing through a form opens no dropdown over the button below', async ({ page }) => {
  await page.goto('/narratives_vectorization')
  await field(page, 'Narrative id').fill('7')
  await page.keyboard.press('Tab')
  await expect(select(page, 'Platforms')).toBeFocused()
  await button(page, 'Trigger vectorization').click({ trial: true, timeout: 5_000 })
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option').first()).toBeVisible()
})

test('a workspace typed by its name is chosen in the form of a user when the field is left, and on Enter', async ({
  page,
  make,
}) => {
  const [one, two] = [await make.workspace(), await make.workspace()]
  const picker = select(page, 'Workspace')
  await page.goto('/users/create')
  await typeName(page, one.name)
  await page.keyboard.press('Tab')
  await expect(picker).toHaveValue(one.name)

  await typeName(page, two.name)
  await page.keyboard.press('Enter')
  await expect(picker).toHaveValue(two.name)
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(field(page, 'First name')).not.toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Enter')
  await expectError(field(page, 'First name'), 'First name is required!')
  await expect(picker).toHaveValue(two.name)
  await expect(picker).not.toHaveAttribute('aria-invalid', 'true')

  for (const text of [unique('Nowhere'), '']) {
    await picker.fill(text)
    await page.keyboard.press('Tab')
    await expect(picker).toHaveValue(two.name)
  }

  const last = unique('Marchenko')
  await field(page, 'First name').fill('Olena')
  await field(page, 'Last name').fill(last)
  await field(page, 'Email').fill(`${last}@example.com`)
  await button(page, 'Generate').click()
  await typeName(page, one.name)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await sendFrom(picker)
  expect((await sent).postDataJSON()).toMatchObject({ workspace_id: one.id })
  await expect(page).toHaveURL(/\/users(\?|$)/)
})

test('Enter in the list of workspaces adds nobody; the next one adds the users', async ({ page, make }) => {
  const [one, two] = [await make.workspace(), await make.workspace()]
  const added = page.getByRole('heading', { name: '1 user added' })
  await page.goto('/users/import')
  await field(page, 'Emails and names').fill(`${unique('ada')}@example.com`)
  await expect(button(page, 'Add 1 user')).toBeVisible()
  await typeName(page, one.name)
  await page.keyboard.press('Enter')
  await expect(select(page, 'Workspace')).toHaveValue(one.name)

  await select(page, 'Workspace').fill(unique('Nowhere'))
  await expect(page.getByText('No workspaces match.')).toBeVisible()
  await page.keyboard.press('Enter')
  await typeName(page, two.name)
  await page.keyboard.press('Enter')
  await expect(select(page, 'Workspace')).toHaveValue(two.name)
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(added).toHaveCount(0)
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/import'))
  await page.keyboard.press('Enter')
  expect((await sent).postDataJSON()).toMatchObject({ workspace_id: two.id })
  await expect(added).toBeVisible()
})

test('Enter chooses the highlighted workspace, also when the text is the name of another', async ({ page, make }) => {
  const { name } = await make.workspace()
  const other = await make.workspace({ name: `${name} North` })
  await page.goto('/users')
  await select(page, 'Workspace').fill(name)
  await expect(page.getByRole('option')).toHaveText([name, other.name])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/users?workspace_id=${other.id}`)
})

/** Holds the searches back until they are released. */
function holdSearches(page: Page, list: 'workspaces' | 'users') {
  return hold(page, new RegExp(`/api/v1/${list}/\\?.*search=`))
}

/** Opens a select, types right away, and presses the keys before the matches are there. */
async function typeAndPress(page: Page, label: string, text: string, keys: string[]) {
  await select(page, label).click()
  await expect(page.getByRole('option').first()).toBeVisible()
  await select(page, label).pressSequentially(text)
  for (const key of keys) await page.keyboard.press(key)
  await expect(select(page, label)).toHaveValue(text)
}

for (const keys of [['Enter'], ['ArrowDown', 'Enter']]) {
  test(`${keys.join(' and ')} right after the text choose from its matches, not from the list before`, async ({
    page,
    make,
  }) => {
    const { id, name } = await make.workspace()
    const text = name.slice(1)
    const person = await make.user(id, { is_admin: true })
    const release = await holdSearches(page, 'workspaces')
    await page.goto('/users/create')
    await typeAndPress(page, 'Workspace', text, keys)
    release()
    await expect(select(page, 'Workspace')).toHaveValue(name)
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await expect(field(page, 'First name')).not.toHaveAttribute('aria-invalid', 'true')

    await page.goto('/users')
    await typeAndPress(page, 'Workspace', text, keys)
    await expect(page).toHaveURL(`/users?workspace_id=${id}`)
    const box = { name: `Select ${person.first_name} ${person.last_name}`, exact: true }
    await page.getByRole('checkbox', box).check()
    await button(page, 'Move to workspace').click()
    const inDialog = page.getByRole('dialog').getByRole('combobox', { name: 'Workspace' })
    await inDialog.click()
    await expect(page.getByRole('option').first()).toBeVisible()
    await inDialog.pressSequentially(text)
    for (const key of keys) await page.keyboard.press(key)
    await expect(inDialog).toHaveValue(name)

    const releaseUsers = await holdSearches(page, 'users')
    await page.goto('/activity')
    await typeAndPress(page, 'Person', person.last_name, keys)
    await expect(page).toHaveURL('/activity')
    releaseUsers()
    await expect(page).toHaveURL(`/activity?actor_id=${person.id}`)
  })
}

test('keys that wait for matches are dropped when the text changes', async ({ page, make }) => {
  const { name } = await make.workspace()
  const other = await make.workspace({ name: `${name} North` })
  const release = await holdSearches(page, 'workspaces')
  await page.goto('/users/create')
  await typeAndPress(page, 'Workspace', name, ['ArrowDown', 'ArrowDown', 'Enter'])
  await select(page, 'Workspace').pressSequentially(' n')
  release()
  await expect(page.getByRole('option')).toHaveText([other.name])
  await expect(select(page, 'Workspace')).toHaveValue(`${name} n`)
  await page.keyboard.press('Enter')
  await expect(select(page, 'Workspace')).toHaveValue(other.name)
})

test('a name that two workspaces have is not chosen by typing it', async ({ page, make }) => {
  const { name } = await make.workspace()
  await make.workspace({ name })
  await page.goto('/users/create')
  await select(page, 'Workspace').fill(name)
  await expect(page.getByRole('option')).toHaveText([name, name])
  await page.keyboard.press('Tab')
  await expect(select(page, 'Workspace')).toHaveValue('')
})

test('Enter and Tab filter the users by the workspace typed, and by none once the text is empty', async ({
  page,
  make,
}) => {
  const [one, two] = [await make.workspace(), await make.workspace()]
  const picker = select(page, 'Workspace')
  await page.goto('/users')
  for (const key of ['Enter', 'Tab']) {
    for (const { id, name } of [one, two]) {
      await typeName(page, name)
      await page.keyboard.press(key)
      await expect(page).toHaveURL(`/users?workspace_id=${id}`)
      await expect(picker).toHaveValue(name)
      await expect(page.getByRole('listbox')).toHaveCount(0)
    }
    await picker.fill(unique('Nowhere'))
    await expect(page.getByText('No workspaces match.')).toBeVisible()
    await page.keyboard.press(key)
    await page.keyboard.press('Tab')
    await expect(picker).toHaveValue(two.name)
    await expect(page).toHaveURL(`/users?workspace_id=${two.id}`)

    await picker.fill('')
    await page.keyboard.press(key)
    await expect(page).toHaveURL('/users')
    await expect(picker).toHaveValue('')
    await expect(page.getByRole('listbox')).toHaveCount(0)
  }
})

test('a filter for a workspace that does not exist stays when its empty field is left', async ({ page, faults }) => {
  faults.allow(/status of 404/)
  await page.goto('/users?workspace_id=999999')
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
