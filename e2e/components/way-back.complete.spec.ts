import type { Page } from '@playwright/test'
import { updateWorkspace } from '@watchdesk/contract/workspaces'
import { expectAccessible } from '../accessible.ts'
import { button, field, fillPerson, heading, row, search, select } from '../users-page.ts'
import { aUser } from './records.ts'
import { expect, test } from './test.ts'
import { ATLAS, answerUsers, PASSWORD } from './users.ts'

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const created = (page: Page) => page.getByRole('region', { name: /created$/ })

test.beforeEach(({ backend }) => answerUsers(backend, []))

test('Save and Cancel of a user return to the list with its page, sort, search and filter', async ({
  page,
  backend,
  open,
}) => {
  const people = Array.from({ length: 21 }, (_, index) => aUser({ id: index + 1, last_name: `Person${index + 1}` }))
  answerUsers(backend, people)
  const state = '/users?workspace_id=1&search=person&sort=-email&page=2'
  const edit = link(page, 'Edit Iryna Person21')

  await open(state)
  for (const way of ['Cancel', 'Save', 'Users'] as const) {
    await edit.click()
    await expect(heading(page)).toHaveText('Edit User Iryna Person21')
    // The back link is kept in the history entry.
    if (way === 'Save') await page.reload()
    if (way === 'Save') await button(page, 'Save').click()
    else if (way === 'Cancel') await link(page, 'Cancel').click()
    else await page.getByRole('main').getByRole('link', { name: 'Users' }).click()
    await expect(heading(page)).toHaveText('Users')
    await expect(edit).toBeVisible()
    const kept = new URL(page.url())
    expect(Object.fromEntries(kept.searchParams)).toEqual({
      workspace_id: '1',
      search: 'person',
      sort: '-email',
      page: '2',
    })
  }
})

test('from a workspace, Cancel returns to it and Save to the users list of that workspace', async ({
  page,
  backend,
  open,
}) => {
  answerUsers(backend, [aUser({ last_name: 'Person' })])
  const edit = link(page, 'Edit Iryna Person')
  await open('/workspaces/1?search=person')
  await edit.click()
  await expect(heading(page)).toContainText('Edit User')
  await link(page, 'Cancel').click()
  await expect(heading(page)).toHaveText('Atlas')
  await expect(page).toHaveURL('/workspaces/1?search=person')
  await edit.click()
  await button(page, 'Save').click()
  await expect(heading(page)).toHaveText('Users')
  await expect(page).toHaveURL('/users?search=person&workspace_id=1')

  // Opened by its address, the form leads to the plain list.
  await open('/users/10/edit')
  await link(page, 'Cancel').click()
  await expect(page).toHaveURL('/users')
})

test('a workspace: Cancel returns to where the edit was opened, Save to the workspace, its breadcrumb to the list', async ({
  page,
  backend,
  open,
}) => {
  backend.answer(updateWorkspace, ATLAS)
  const list = '/workspaces?search=Atlas&sort=-name'
  await open(list)
  await link(page, 'Edit Atlas').click()
  await expect(page.getByText('Edit workspace')).toBeVisible()
  await link(page, 'Cancel').click()
  await expect(page).toHaveURL(list)

  await link(page, 'Edit Atlas').click()
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/workspaces/1')
  await search(page).fill('nobody')
  await expect(page).toHaveURL('/workspaces/1?search=nobody')
  await link(page, 'Edit').click()
  await link(page, 'Cancel').click()
  await expect(page).toHaveURL('/workspaces/1?search=nobody')
  await link(page, 'Edit').click()
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/workspaces/1?search=nobody')
  await page.getByRole('main').getByRole('link', { name: 'Workspaces' }).click()
  await expect(page).toHaveURL(list)

  await link(page, 'Create workspace').click()
  await expect(field(page, 'Name')).toBeFocused()
  await link(page, 'Cancel').click()
  await expect(page).toHaveURL(list)
  await open('/workspaces/1/edit')
  await link(page, 'Cancel').click()
  await expect(page).toHaveURL('/workspaces/1')
})

test('from a filtered list a new user belongs to that workspace; "Create and add another" keeps it; a panel shows emails and passwords until dismissed', async ({
  page,
  open,
}) => {
  const [first, second] = ['one@example.com', 'two@example.com']
  await open('/users?workspace_id=1')
  await link(page, 'Create user').first().click()
  await expect(select(page, 'Workspace')).toHaveValue('Atlas')
  await expect(field(page, 'First name')).toBeFocused()
  await fillPerson(page, { first: 'Olena', last: 'One', email: first })
  await button(page, 'Generate').click()
  const generated = await field(page, 'Password').inputValue()
  await button(page, 'Create and add another').click()
  await expect(created(page)).toContainText(first)
  await expect(created(page)).toContainText(generated)
  await expect(async () => {
    const [panel, form] = [await created(page).boundingBox(), await page.locator('form').boundingBox()]
    expect(panel?.width).toBe(form?.width)
  }).toPass()
  await expect(page).toHaveURL('/users/create?workspace_id=1')
  await expect(select(page, 'Workspace')).toHaveValue('Atlas')
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
  await expect(page).toHaveURL('/users?workspace_id=1')
  await expect(row(page, second)).toBeVisible()
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
