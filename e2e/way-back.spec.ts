import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { PASSWORD, seed, unique } from './seed.ts'
import { expect, test } from './test.ts'
import { button, field, fillPerson, heading, row, search, select } from './users-page.ts'

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const created = (page: Page) => page.getByRole('region', { name: /created$/ })

test('Save and Cancel of a user return to the list with its page, sort, search and filter', async ({
  page,
  watchdesk,
}) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Way'))
  const people = []
  for (let index = 0; index < 21; index += 1) people.push(await user(id))
  const state = `/users?workspace_id=${id}&search=person&sort=-email&page=2`
  const last = people.map(({ last_name }) => last_name).sort()[0]
  const edit = link(page, `Edit Iryna ${last}`)

  for (const way of ['Cancel', 'Save', 'Users'] as const) {
    await page.goto(state)
    await edit.click()
    await expect(heading(page)).toHaveText(`Edit User Iryna ${last}`)
    // The back link is kept in the history entry.
    if (way === 'Save') await page.reload()
    if (way === 'Save') await button(page, 'Save').click()
    else if (way === 'Cancel') await link(page, 'Cancel').click()
    else await page.getByRole('main').getByRole('link', { name: 'Users' }).click()
    await expect(heading(page)).toHaveText('Users')
    await expect(edit).toBeVisible()
    const kept = new URL(page.url())
    expect(Object.fromEntries(kept.searchParams)).toEqual({
      workspace_id: String(id),
      search: 'person',
      sort: '-email',
      page: '2',
    })
  }
})

test('from a workspace, Cancel returns to it and Save to the users list of that workspace', async ({
  page,
  watchdesk,
}) => {
  const { workspace, user } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Harbour'))
  const person = await user(id)
  const edit = link(page, `Edit Iryna ${person.last_name}`)
  await page.goto(`/workspaces/${id}?search=person`)
  await edit.click()
  await expect(heading(page)).toContainText('Edit User')
  await link(page, 'Cancel').click()
  await expect(heading(page)).toHaveText(name)
  await expect(page).toHaveURL(`/workspaces/${id}?search=person`)
  await edit.click()
  await button(page, 'Save').click()
  await expect(heading(page)).toHaveText('Users')
  await expect(page).toHaveURL(`/users?search=person&workspace_id=${id}`)

  await page.goto(`/workspaces/${id}`)
  await link(page, 'Create user').click()
  await expect(select(page, 'Workspace')).toHaveValue(name)
  await link(page, 'Cancel').click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
})

test('a workspace: Cancel returns to where the edit was opened, Save to the workspace, its breadcrumb to the list', async ({
  page,
  watchdesk,
}) => {
  const { workspace } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Delta'))
  const list = `/workspaces?search=${name}&sort=-name`
  await page.goto(list)
  await link(page, `Edit ${name}`).click()
  await expect(page.getByText('Edit workspace')).toBeVisible()
  await link(page, 'Cancel').click()
  await expect(page).toHaveURL(list)

  await link(page, `Edit ${name}`).click()
  await button(page, 'Save').click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  await search(page).fill('nobody')
  await expect(page).toHaveURL(`/workspaces/${id}?search=nobody`)
  await link(page, 'Edit').click()
  await link(page, 'Cancel').click()
  await expect(page).toHaveURL(`/workspaces/${id}?search=nobody`)
  await link(page, 'Edit').click()
  await button(page, 'Save').click()
  await expect(page).toHaveURL(`/workspaces/${id}?search=nobody`)
  await page.getByRole('main').getByRole('link', { name: 'Workspaces' }).click()
  await expect(page).toHaveURL(list)

  await link(page, 'Create workspace').click()
  await expect(field(page, 'Name')).toBeFocused()
  await link(page, 'Cancel').click()
  await expect(page).toHaveURL(list)
})

test('opened by their address, the forms lead to the plain lists', async ({ page, watchdesk }) => {
  await seed(page, watchdesk)
  await page.goto('/users/1/edit')
  await link(page, 'Cancel').click()
  await expect(page).toHaveURL('/users')
  await page.goto('/workspaces/1/edit')
  await link(page, 'Cancel').click()
  await expect(page).toHaveURL('/workspaces/1')
})

test('from a filtered list a new user belongs to that workspace, and the list is filtered as before', async ({
  page,
  watchdesk,
}) => {
  const { workspace } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Prairie'))
  await page.goto(`/users?workspace_id=${id}`)
  await link(page, 'Create user').first().click()
  await expect(select(page, 'Workspace')).toHaveValue(name)
  await expect(field(page, 'First name')).toBeFocused()
  const email = `${unique('new')}@example.com`
  await fillPerson(page, { first: 'Marta', last: 'Weiss', email })
  await field(page, 'Password').fill(PASSWORD)
  await button(page, 'Create').click()
  await expect(page).toHaveURL(`/users?workspace_id=${id}`)
  await expect(row(page, email)).toBeVisible()
})

test('"Create and add another" keeps the workspace; a panel shows emails and passwords until dismissed', async ({
  page,
  watchdesk,
}) => {
  const { workspace } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Orchard'))
  const [first, second] = [`${unique('one')}@example.com`, `${unique('two')}@example.com`]
  await page.goto(`/users/create?workspace_id=${id}`)
  await fillPerson(page, { first: 'Olena', last: 'One', email: first })
  await button(page, 'Generate').click()
  const generated = await field(page, 'Password').inputValue()
  await button(page, 'Create and add another').click()
  await expect(created(page)).toContainText(first)
  await expect(created(page)).toContainText(generated)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    const [panel, form] = [await created(page).boundingBox(), await page.locator('form').boundingBox()]
    expect(panel?.width).toBe(form?.width)
  }
  await expect(page).toHaveURL(`/users/create?workspace_id=${id}`)
  await expect(select(page, 'Workspace')).toHaveValue(name)
  await expect(field(page, 'First name')).toBeFocused()
  for (const label of ['First name', 'Last name', 'Email', 'Password']) {
    await expect(field(page, label)).toHaveValue('')
  }
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)

  await page.keyboard.type('Taras')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await field(page, 'Last name').fill('Two')
  await field(page, 'Email').fill(second)
  await field(page, 'Password').fill(PASSWORD)
  await field(page, 'Password').press('Enter')
  await expect(page).toHaveURL('/users')
  await expect(page.getByRole('heading', { name: '2 users created' })).toBeVisible()
  for (const text of ['Olena One', first, generated, 'Taras Two', second, PASSWORD]) {
    await expect(created(page)).toContainText(text)
  }
  await expectAccessible(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await button(page, 'Copy password of Olena One').click()
  await expect.poll(copied).toBe(generated)
  await button(page, 'Copy email and password of Taras Two').click()
  await expect.poll(copied).toBe(`${second}\n${PASSWORD}`)

  await link(page, 'Create user').last().click()
  await expect(created(page)).toContainText(generated)
  await page.goBack()
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state, location.href]))
  expect(kept).not.toContain(generated)
  await button(page, 'Dismiss').click()
  await expect(created(page)).toHaveCount(0)
  await expect(page.locator('body')).not.toContainText(generated)
})
