import { listAuditEvents } from '@watchdesk/contract/activity'
import { currentUser, getSignInOptions } from '@watchdesk/contract/auth/session'
import { listBin } from '@watchdesk/contract/bin'
import * as catalog from '@watchdesk/contract/catalog'
import { listDashboards } from '@watchdesk/contract/dashboards'
import type { Endpoint } from '@watchdesk/contract/endpoint'
import { listOperations } from '@watchdesk/contract/operations/operations'
import { getOverview } from '@watchdesk/contract/overview'
import { listSources } from '@watchdesk/contract/sources'
import { getUser, listUsers, updateUser } from '@watchdesk/contract/users'
import { getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { IRYNA, pageOf } from '../other-backend.ts'
import { button, field, heading, toast } from '../workspaces-page.ts'
import { expect, test } from './test.ts'

/** A workspace from a backend with the settings at the top level and without versions. */
const CIVIC = {
  id: 3,
  name: 'Civic Pulse',
  description: 'Elections',
  status: null,
  featureflags: ['exports'],
  roles: ['analyst'],
  tags: [],
  search_similarity_threshold: 0.65,
  keywords_parser_class: 'SimpleParser',
  is_ucbi_admin: true,
  is_ucbi_reporter: false,
  is_reporter_only_user: false,
}

/** Calls that the console makes to find out whether the backend has them. */
const OPTIONAL: Endpoint[] = [getSignInOptions, listAuditEvents, listBin, listOperations, getOverview, listSources]

/** All that the backend has: any other call fails the test. */
test.beforeEach(({ backend }) => {
  backend.reset()
  for (const endpoint of OPTIONAL) backend.refuse(endpoint, 404, 'Not Found')
  backend.raw(currentUser, 200, IRYNA)
  backend.raw(listUsers, 200, pageOf(IRYNA))
  backend.raw(getUser, 200, IRYNA)
  backend.raw(listWorkspaces, 200, pageOf(CIVIC))
  backend.raw(getWorkspace, 200, CIVIC)
  backend.raw(listDashboards, 200, { objects: [] })
  backend.answer(catalog.availableRoles, ['analyst'])
  backend.answer(catalog.allRoles, ['analyst', 'editor'])
  backend.answer(catalog.allFeatureflags, ['exports'])
  backend.answer(catalog.caseTypes, ['fraud'])
  backend.answer(catalog.vectorizationModels, { Small: 'small' })
})

test('the items of a 422 are shown on separate lines, and under their fields', async ({ page, backend, open }) => {
  const detail = [
    { loc: ['body', 'first_name'], msg: 'String should have at most 3 characters', type: 'string_too_long' },
    { loc: ['body', 'email'], msg: 'value is not a valid email address', type: 'value_error' },
  ]
  backend.refuse(updateUser, 422, detail)
  await open('/users/7/edit')
  await field(page, 'Last name').fill('Shevchenko')
  await button(page, 'Save').click()
  const error = page.locator('[data-kind=error]')
  await expect(error).toBeVisible()
  expect(await error.innerText()).toBe(detail.map(({ msg }) => msg).join('\n'))
  await expect(field(page, 'Email')).toHaveAccessibleDescription(detail[1]?.msg ?? '')

  backend.refuse(updateUser, 403, 'Not enough permissions')
  await button(page, 'Save').click()
  await expect(toast(page).filter({ hasText: 'Not enough permissions' })).toBeVisible()

  backend.raw(updateUser, 200, null)
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/users')
})

test('your own email and password are changed with only the fields of the spec', async ({ page, backend, open }) => {
  backend.raw(updateUser, 200, null)
  await open('/users/7/edit')
  await field(page, 'Email').fill('iryna.s@civic.example')
  await page.getByRole('switch', { name: 'Change password' }).click({ force: true })
  await field(page, 'Password').fill('any password')
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/users')
  const sent = backend.calls(updateUser).map(({ body }) => body)
  expect(sent).toEqual([expect.objectContaining({ email: 'iryna.s@civic.example', password: 'any password' })])
  expect(sent[0]).not.toHaveProperty('current_password')
})

test('screens whose calls the backend does not have are neither in the menu nor linked, and it is asked once', async ({
  page,
  backend,
  open,
}) => {
  await open('/users')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'PowerBI Dashboards' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Activity' })).toHaveCount(0)
  await expect(menu.getByText('Records')).toHaveCount(0)
  for (const path of ['/users', '/stories_import']) {
    await open(path)
    await expect(heading(page)).toBeVisible()
    await expect(page.getByRole('link', { name: /Add many users|Earlier imports/ })).toHaveCount(0)
  }
  await page.reload()
  await expect(menu.getByRole('link', { name: 'PowerBI Dashboards' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Activity' })).toHaveCount(0)
  expect(backend.calls(listAuditEvents)).toHaveLength(1)
})

test('a workspace with its fields at the top level is listed, shown and edited', async ({ page, backend, open }) => {
  await open('/workspaces')
  await expect(page.getByRole('row').filter({ hasText: 'Civic Pulse' })).toContainText('analyst')
  await open('/workspaces/3')
  await expect(heading(page)).toHaveText('Civic Pulse')
  const main = page.getByRole('main')
  for (const text of ['Elections', 'analyst', 'exports', '0.65', 'SimpleParser']) await expect(main).toContainText(text)
  await expect(page.getByRole('table')).toContainText('Iryna Shevchuk')

  await open('/workspaces/3/edit')
  await expect(heading(page)).toContainText('Civic Pulse')
  await expect(field(page, 'Name')).toHaveValue('Civic Pulse')
  expect(backend.calls(getWorkspace)).not.toEqual([])
})
