import type { Endpoint } from '@watchdesk/contract/endpoint'
import { listUsers } from '@watchdesk/contract/users'
import { listWorkspaces } from '@watchdesk/contract/workspaces'
import { button, dialog, heading, select, toast } from '../workspaces-page.ts'
import { aWorkspace } from './records.ts'
import { expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

const [USERS, WORKSPACES]: [Endpoint, Endpoint] = [listUsers, listWorkspaces]

test('page and page_size are sent with every call of the users and workspaces lists, and no invalid search params', async ({
  page,
  backend,
  open,
}) => {
  keepWorkspaces(backend, aWorkspace())
  const [first, choices] = [
    { page: '1', page_size: '20' },
    { page: '1', page_size: '100' },
  ]
  for (const [path, list, query] of [
    ['/users?page=x&workspace_id=abc&sort=secret', USERS, first],
    ['/workspaces/1', USERS, { ...first, workspace_ids: '1' }],
    ['/workspaces?page=-1&sort=x', WORKSPACES, first],
    ['/users/create', WORKSPACES, choices],
  ] as const) {
    const before = backend.calls(list).length
    await open(path)
    await expect(heading(page)).toBeVisible()
    await expect.poll(() => backend.calls(list).slice(before)).toContainEqual(expect.objectContaining({ query }))
  }
  const queries = [...backend.calls(listUsers), ...backend.calls(listWorkspaces)].map(({ query }) => query)
  expect(queries.filter((query) => !(query.page && query.page_size))).toEqual([])
})

test('a workspace can be deleted even if its users cannot be counted', async ({ page, backend, open }) => {
  keepWorkspaces(backend, aWorkspace())
  backend.refuse(listUsers, 503, 'Busy.')
  await open('/workspaces')
  await button(page, 'Delete Baltic').click()
  await expect(dialog(page)).toContainText('Are you sure you want to delete this workspace?')
  await expect(dialog(page)).toContainText('This deletes Baltic and all its users, who lose access immediately.')
  await button(dialog(page), 'Delete').click()
  await expect(toast(page)).toContainText('Workspace removed successfully!')
})

test('a workspace in the address that does not exist is reported, and another can be chosen', async ({
  page,
  backend,
  open,
}) => {
  keepWorkspaces(backend, aWorkspace({ name: 'Atlas' }), aWorkspace({ id: 2, name: 'Vistula' }))
  const missing = 'This workspace does not exist. Choose another one.'
  for (const id of ['abc', '99999']) {
    await open(`/users/create?workspace_id=${id}`)
    await expect(select(page, 'Workspace')).toHaveAccessibleDescription(missing)
    await select(page, 'Workspace').fill('Atlas')
    await page.getByRole('option', { name: 'Atlas', exact: true }).click()
    await expect(select(page, 'Workspace')).toHaveValue('Atlas')
    await expect(page.getByText(missing)).toHaveCount(0)
  }

  // The selected workspace is not listed among search results that do not include it.
  await select(page, 'Workspace').fill('Vistula')
  await expect(page.getByRole('option')).toHaveText(['Vistula'])
})
