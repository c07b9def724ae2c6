import { tabTo } from './keyboard.ts'
import { PASSWORD, seed, unique } from './seed.ts'
import { REFUSED } from './session-page.ts'
import { expect, storeToken, test } from './test.ts'
import {
  button,
  choose,
  dialog,
  expectError,
  field,
  fillPerson,
  heading,
  row,
  search,
  select,
  toast,
  toggle,
} from './users-page.ts'

test('a new user: defaults, every message, a generated password, then the list', async ({ page, watchdesk }) => {
  const { workspace } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Baltic'))
  await page.goto('/users/create')
  await expect(heading(page)).toHaveText('Create user')
  await expect(select(page, 'Workspace')).toHaveValue('')
  await expect(select(page, 'Type')).toHaveValue('STANDARD')
  await expect(select(page, 'Language')).toHaveValue('Detect automatically')
  await expect(toggle(page, 'Workspace admin')).not.toBeChecked()
  await expect(toggle(page, 'Super admin')).not.toBeChecked()
  await expect(toggle(page, 'Change password')).toHaveCount(0)

  await button(page, 'Create').click()
  await expectError(page, 'Workspace', 'Workspace is required!')
  await expectError(page, 'First name', 'First name is required!')
  await expectError(page, 'Last name', 'Last name is required!')
  await expectError(page, 'Email', 'Email is required!')
  await expectError(page, 'Password', 'Password is required!')
  await expect(select(page, 'Workspace')).toBeFocused()
  await field(page, 'Email').fill('nobody')
  await button(page, 'Create').click()
  await expectError(page, 'Email', 'Email must be a valid email address.')

  await select(page, 'Type').click()
  await expect(page.getByRole('option')).toHaveText(['UNDERPRIVILEGED', 'STANDARD', 'MODERATOR'])
  await page.getByRole('option', { name: 'MODERATOR' }).click()
  await select(page, 'Language').click()
  await expect(page.getByRole('option')).toHaveText(['Detect automatically', 'English', 'Ukrainian'])
  await page.getByRole('option', { name: 'Ukrainian' }).click()
  await select(page, 'Workspace').fill(name)
  await page.getByRole('option', { name }).click()
  const email = `${unique('new')}@example.com`
  await fillPerson(page, { first: 'Marta', last: 'Weiss', email: ` ${email} ` })
  await button(page, 'Generate').click()
  const password = field(page, 'Password')
  await expect(password).toHaveValue(/^[A-Za-z0-9!@#$%^&*()]{17}$/)
  await expect(password).toHaveAttribute('type', 'text')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await button(page, 'Copy password').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(await password.inputValue())
  await toggle(page, 'Workspace admin').click({ force: true })

  const call = page.waitForRequest((request) => request.method() === 'POST')
  const generated = await password.inputValue()
  await button(page, 'Create').click()
  expect((await call).postDataJSON()).toEqual({
    ...{ first_name: 'Marta', last_name: 'Weiss', email, password: generated, workspace_id: id },
    ...{ is_admin: true, is_super_admin: false, type: 'MODERATOR', language: 'UK' },
  })
  await expect(page).toHaveURL('/users')
  await search(page).fill(email)
  await expect(row(page, email)).toContainText('Workspace admin')
})

test('the query preselects the workspace; a rejected create keeps the form and shows the reason', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { workspace, user } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Summit'))
  const taken = await user(id)
  await page.goto(`/users/create?workspace_id=${id}`)
  await expect(select(page, 'Workspace')).toHaveValue(name)
  await fillPerson(page, { first: 'A', last: 'B', email: taken.email.toUpperCase() })
  await field(page, 'Password').fill(PASSWORD)
  await field(page, 'Password').press('Enter')
  await expect(toast(page)).toContainText('A user with this email already exists.')
  await expect(field(page, 'First name')).toHaveValue('A')
  await expect(page.getByText('Unsaved changes')).toBeVisible()

  await field(page, 'Email').fill(`${unique('free')}@example.com`)
  await field(page, 'Password').fill('short')
  await button(page, 'Create').click()
  await expect(field(page, 'Password')).toBeFocused()
  await expect(field(page, 'Password')).toHaveAttribute('aria-invalid', 'true')
})

test('the dropdown loads 100 workspaces and finds the others on the server', async ({ page, watchdesk }) => {
  const { workspace, token } = await seed(page, watchdesk)
  const headers = { authorization: `Bearer ${token}` }
  const { total } = await (await page.request.get('/api/v1/workspaces/?page_size=1', { headers })).json()
  for (let index = total; index < 100; index += 1) await workspace(unique('Filler'))
  const { name } = await workspace(unique('Beyond'))
  const call = page.waitForRequest('**/api/v1/workspaces/?page=1&page_size=100')
  await page.goto('/users/create')
  await call
  await select(page, 'Workspace').click()
  await expect(page.getByRole('option')).toHaveCount(100)
  await expect(page.getByRole('option', { name })).toHaveCount(0)
  // The long list scrolls, but is not a tab stop.
  await page.keyboard.press('Tab')
  await expect(select(page, 'Type')).toBeFocused()
  await select(page, 'Workspace').fill(name.toLowerCase())
  await expect(page.getByRole('option')).toHaveText([name])
  await page.getByRole('option', { name }).click()
  await expect(select(page, 'Workspace')).toHaveValue(name)
})

test('an edit: heading, values, PATCH with its version and without a password, Auto as empty text', async ({
  page,
  watchdesk,
}) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Atlas'))
  const person = await user(id, { language: 'EN' })
  await page.goto(`/users?workspace_id=${id}`)
  await page.getByRole('link', { name: `Edit Iryna ${person.last_name}` }).click()
  await expect(heading(page)).toHaveText(`Edit User Iryna ${person.last_name}`)
  await expect(page).toHaveTitle(`Edit User Iryna ${person.last_name} · Watchdesk`)
  await expect(select(page, 'Workspace')).toHaveValue(name)
  await expect(field(page, 'Email')).toHaveValue(person.email)
  await expect(field(page, 'Password')).toBeDisabled()
  await expect(button(page, 'Generate')).toBeDisabled()
  await choose(page, 'Language', 'Detect automatically')
  await field(page, 'First name').fill('Ірина')
  const call = page.waitForRequest((request) => request.method() === 'PATCH')
  await button(page, 'Save').click()
  expect((await call).headers()['if-match']).toBe(`"${person.version}"`)
  expect((await call).postDataJSON()).toEqual({
    ...{ first_name: 'Ірина', last_name: person.last_name, email: person.email, workspace_id: id },
    ...{ is_admin: false, is_super_admin: false, type: 'STANDARD', language: '' },
  })
  await expect(page).toHaveURL(`/users?workspace_id=${id}`)
  await search(page).fill(person.email)
  await expect(row(page, 'Ірина')).toContainText('Auto')
})

test('Change password makes the password required, and sends it', async ({ page, watchdesk }) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Granite'))
  const person = await user(id, { is_admin: true })
  await page.goto(`/users/${person.id}/edit`)
  await toggle(page, 'Change password').click({ force: true })
  await button(page, 'Save').click()
  await expectError(page, 'Password', 'Password is required!')
  await field(page, 'Password').fill('a new long password')
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/users')
  const data = { email: person.email, password: 'a new long password' }
  expect((await page.request.post('/api/v1/login', { data })).status()).toBe(200)
})

test('a rejected edit restores the form and shows a toast; a deleted user shows an error', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  await seed(page, watchdesk)
  await page.goto('/users/1/edit')
  await toggle(page, 'Super admin').click({ force: true })
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText('You cannot remove your own admin rights. Ask another admin to do it.')
  await expect(button(page, 'Save')).toBeVisible()
  await expect(toggle(page, 'Super admin')).not.toBeChecked()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await button(page, 'Leave').click()
  await expect(page).toHaveURL('/users')

  await page.goto('/users/2000000000/edit')
  await expect(page.getByRole('alert')).toContainText('User not found.')
  await expect(button(page, 'Try again')).toHaveCount(0)
  await page.getByRole('link', { name: 'Back to users' }).click()
  await expect(page).toHaveURL('/users')
})

test('leaving does not lose unsaved changes', async ({ page, watchdesk }) => {
  await seed(page, watchdesk)
  await page.goto('/users/create')
  await page.getByRole('link', { name: 'Workspaces' }).click()
  await expect(page).toHaveURL('/workspaces')
  await page.goBack()
  await field(page, 'First name').fill('Olena')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.getByRole('link', { name: 'Workspaces' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave without saving?')
  await button(page, 'Stay').click()
  await expect(field(page, 'First name')).toHaveValue('Olena')
  const asked = page.waitForEvent('dialog')
  const reload = page.reload().catch(() => {})
  expect((await asked).type()).toBe('beforeunload')
  await (await asked).accept()
  await reload
})

test('a loader is shown until the workspaces are there; it replaces the button, and one submit is one call', async ({
  page,
  otherBackend,
}) => {
  const me = { id: 1, first_name: 'A', last_name: 'B', email: 'a@example.com', is_super_admin: true }
  const workspaces = { objects: [{ id: 3, name: 'Civic' }], total: 1, size: 20 }
  let respond = () => {}
  const after = new Promise<void>((resolve) => {
    respond = resolve
  })
  let list = () => {}
  const listed = new Promise<void>((resolve) => {
    list = resolve
  })
  otherBackend.responses['GET /api/v1/users/me'] = { status: 200, body: me }
  otherBackend.responses['GET /api/v1/workspaces/'] = { status: 200, body: workspaces, after: listed }
  otherBackend.responses['GET /api/v1/workspaces/3'] = { status: 200, body: workspaces.objects[0] }
  otherBackend.responses['GET /api/v1/users/'] = { status: 200, body: { objects: [], total: 0, size: 20 } }
  otherBackend.responses['POST /api/v1/users/'] = { status: 201, body: {}, after }
  await storeToken(page, otherBackend.url, 'any')
  await page.goto(`${otherBackend.url}/users/create?workspace_id=3`)
  await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(page.locator('form')).toHaveCount(0)
  list()
  await fillPerson(page, { first: 'A', last: 'B', email: 'c@example.com' })
  await field(page, 'Password').fill(PASSWORD)
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit()
    form.requestSubmit()
  })
  await expect(page.getByRole('status', { name: 'Saving' })).toBeVisible()
  await expect(button(page, 'Create')).toHaveCount(0)
  respond()
  await expect(page).toHaveURL(`${otherBackend.url}/users`)
  await expect(page.getByText('No users yet.')).toBeVisible()
  expect(otherBackend.calls.filter(({ call }) => call === 'POST /api/v1/users/')).toHaveLength(1)
})

test('a form whose schema cannot be loaded says so, and works once it can', async ({ page, watchdesk, faults }) => {
  await seed(page, watchdesk)
  faults.allow(/Failed to load resource/)
  const schema = '**/assets/users.schema-*.js'
  await page.route(schema, (route) => route.abort())
  await page.goto('/users/create')
  await button(page, 'Create').click()
  await expect(toast(page)).toContainText('The server cannot be reached. Check your connection and try again.')
  await page.unroute(schema)
  await button(page, 'Create').click()
  await expectError(page, 'Email', 'Email is required!')
})

test('the bar with the buttons does not cover a switch that has the focus, nor its description', async ({
  page,
  watchdesk,
}) => {
  await seed(page, watchdesk)
  for (const [path, label] of [
    ['/users/create', 'Auditor'],
    ['/users/import', 'Invite them'],
  ] as const) {
    for (const height of [900, 812, 760]) {
      await page.setViewportSize({ width: 1440, height })
      await page.goto(path)
      await tabTo(page, toggle(page, label))
      const bar = page.locator('form').getByRole('button').last()
      const description = page.locator(`[id="${await toggle(page, label).getAttribute('aria-describedby')}"]`)
      const [top, text] = [(await bar.boundingBox())?.y, await description.boundingBox()]
      expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThan((top ?? 0) - 10)
    }
  }
})
