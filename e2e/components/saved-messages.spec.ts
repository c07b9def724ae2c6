import type { Page } from '@playwright/test'
import { createDashboard, getDashboard, listDashboards, updateDashboard } from '@watchdesk/contract/dashboards'
import { createUser } from '@watchdesk/contract/users'
import { createWorkspace, getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { ai, analytical, button, field, fillQuota, heading, row, toast } from '../workspaces-page.ts'
import { aDashboard, aUser, aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'

const show = (page: Page) => toast(page).getByRole('link', { name: 'Show', exact: true })

test('the message about a new workspace has its name and a link to it', async ({ page, backend, open }) => {
  const workspaces = [aWorkspace()]
  answerList(backend, listWorkspaces, workspaces, getWorkspace)
  backend.answer(createWorkspace, ({ body }) => {
    const created = aWorkspace({ id: 2, name: body.name })
    workspaces.push(created)
    return created
  })
  await open('/workspaces/create')
  await field(page, 'Name').fill('  Vistula  ')
  await fillQuota(analytical(page), '1', '2', '2027-01-01')
  await fillQuota(ai(page), '1', '2', '2027-01-01')
  await button(page, 'Create').click()
  await expect(page).toHaveURL('/users/create?workspace_id=2')
  await expect(toast(page)).toContainText('Workspace Vistula created.')
  await show(page).click()
  await expect(heading(page)).toHaveText('Vistula')
  await expect(page).toHaveURL('/workspaces/2')
})

test('the messages after creating and editing a dashboard have its name', async ({ page, backend, open }) => {
  const dashboards = [aDashboard({ id: 1, name: 'Other' })]
  answerList(backend, listDashboards, dashboards, getDashboard)
  backend.answer(createDashboard, ({ body }) => {
    const created = aDashboard({ name: body.name })
    dashboards.push(created)
    return created
  })
  backend.answer(updateDashboard, ({ body }) => Object.assign(dashboards[1] as object, body) as (typeof dashboards)[0])
  await open('/dashboards/create')
  await field(page, 'Name').fill(' Reach ')
  await field(page, 'Embed link').fill('https://bi.example/1')
  await button(page, 'Create').click()
  await expect(page).toHaveURL('/dashboards')
  await expect(toast(page)).toContainText('Dashboard Reach created.')
  await show(page).click()
  await expect(field(page, 'Name')).toHaveValue('Reach')
  await field(page, 'Description').fill('Weekly')
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText('Dashboard Reach saved.')
  await expect(row(page, 'Reach')).toContainText('Weekly')
})

test('the error of an earlier attempt disappears once the user is created, and the panel has the trimmed name', async ({
  page,
  backend,
  open,
}) => {
  answerList(backend, listWorkspaces, [aWorkspace()], getWorkspace)
  backend.refuse(createUser, 409, 'A user with this email already exists.')
  await open('/users/create?workspace_id=1')
  await field(page, 'First name').fill(' Olena  ')
  await field(page, 'Last name').fill('Marchenko')
  await field(page, 'Email').fill('iryna@example.com')
  await button(page, 'Generate').click()
  await button(page, 'Create').click()
  await expect(toast(page)).toHaveText('A user with this email already exists.')
  // A message stays open on hover until it is replaced.
  await toast(page).hover()
  backend.answer(createUser, ({ body: { first_name, last_name, email } }) =>
    aUser({ id: 11, first_name, last_name, email }),
  )
  await field(page, 'Email').fill('olena.m@example.com')
  await field(page, 'Email').press('Enter')
  await expect(toast(page).filter({ hasText: 'User Olena Marchenko created.' })).toBeVisible()
  await expect(toast(page)).toHaveCount(1)
  const copy = 'Copy password of Olena Marchenko'
  await expect(button(page, copy)).toHaveAttribute('aria-label', copy)
})
