import type { Locator, Page } from '@playwright/test'
import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  listDashboards,
  listDashboardWorkspaces,
  updateDashboard,
} from '@watchdesk/contract/dashboards'
import { createUser } from '@watchdesk/contract/users'
import { createWorkspace, getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { ai, analytical, button, dialog, field, fillQuota, heading, row, toast } from '../workspaces-page.ts'
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
  answerList(backend, listDashboardWorkspaces, [])
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

test('a message is swiped away with a finger, stays while the focus is inside it, and goes after its usual time once the focus has left', async ({
  page,
  backend,
  open,
}) => {
  answerList(backend, listDashboards, [aDashboard()])
  backend.answer(deleteDashboard, undefined)
  async function remove() {
    await button(page, 'Delete Reach').click()
    await button(page, 'Delete').click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(toast(page)).toBeVisible()
  }
  await open('/dashboards')
  await remove()
  // A short swipe leaves it.
  await swipe(page, toast(page), 0.2)
  await expect(toast(page)).toBeVisible()
  await swipe(page, toast(page), 0.6)
  await expect(toast(page)).toHaveCount(0)

  await page.clock.install()
  await remove()
  const undo = button(toast(page), 'Undo')
  await undo.focus()
  await page.clock.fastForward(20_000)
  await expect(undo).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await page.clock.fastForward(20_000)
  await expect(undo).toBeFocused()

  await undo.blur()
  await page.clock.fastForward(6_000)
  await expect(undo).toBeVisible()
  await page.clock.fastForward(6_000)
  await expect(toast(page)).toHaveCount(0)
})

/** With a finger, to the left, by a part of the width. */
async function swipe(page: Page, element: Locator, part: number) {
  const { x, y, width } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', moved: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + width * (0.7 - moved), y: y + 4 }],
    })
  await touch('touchStart', 0)
  for (const moved of [part / 4, part / 2, part]) await touch('touchMove', moved)
  await touch('touchEnd', part)
  await session.detach()
}
