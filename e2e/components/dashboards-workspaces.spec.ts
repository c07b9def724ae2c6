import type { Page } from '@playwright/test'
import {
  changeDashboardWorkspaces,
  createDashboard,
  type DashboardWorkspace,
  getDashboard,
  listDashboards,
  listDashboardWorkspaces,
} from '@watchdesk/contract/dashboards'
import { getWorkspace } from '@watchdesk/contract/workspaces'
import { names, section } from '../dashboards-page.ts'
import { button, heading, row } from '../workspaces-page.ts'
import type { Backend } from './backend.ts'
import { aDashboard, aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'

/** Workspaces that show the dashboard, which detaching and attaching change. */
function answerUse(backend: Backend, all: string[]) {
  const known = all.map((name, index): DashboardWorkspace => ({ id: index + 1, name, description: '', status: null }))
  const shown = [...known]
  answerList(backend, listDashboards, [aDashboard({ workspaces_count: all.length })], getDashboard)
  answerList(backend, listDashboardWorkspaces, shown)
  backend.answer(changeDashboardWorkspaces, ({ body: { attach = [], detach = [] } }) => {
    const [added, removed] = [attach.map(({ id }) => id), detach]
    const ids = shown.map(({ id }) => id).filter((id) => !removed.includes(id))
    shown.splice(0, shown.length, ...known.filter(({ id }) => [...ids, ...added].includes(id)))
    const placed = (list: number[]) => list.map((id) => ({ id, position: 0 }))
    return { attached: placed(added), detached: placed(removed) }
  })
}

test('a column of the list says in how many workspaces a dashboard is used, and leads to them', async ({
  page,
  backend,
  open,
}) => {
  const all = Array.from({ length: 23 }, (_, index) => `Used ${index + 10}`)
  answerUse(backend, all)
  backend.answer(getWorkspace, aWorkspace({ name: 'Used 10' }))
  await open('/dashboards?columns=id,name,workspaces_count')
  await row(page, 'Reach').getByRole('link', { name: '23 workspaces' }).click()
  await expect(page).toHaveURL('/dashboards/5/edit#workspaces')
  await expect(section(page).getByRole('heading', { name: 'Workspaces' })).toBeFocused()
  await expect(section(page).getByRole('heading', { name: 'Workspaces' })).toBeInViewport()
  await expect(section(page).getByText('23 workspaces show this dashboard')).toBeVisible()
  await expect(names(page)).toHaveText(all.slice(0, 20))

  await section(page).getByRole('link', { name: 'Next page' }).click()
  await expect(names(page)).toHaveText(all.slice(20))
  await section(page).getByRole('searchbox').fill('used 10')
  await expect(names(page)).toHaveText(all.slice(0, 1))
  await expect(section(page).getByText('1 workspace found')).toBeVisible()
  await names(page).first().click()
  await expect(page).toHaveURL('/workspaces/1')
})

test('a double click detaches one workspace, and the focus stays near what it was on', async ({
  page,
  backend,
  open,
}) => {
  answerUse(backend, ['Atlas', 'Baltic'])
  await open('/dashboards/5/edit')
  const detach = button(page, 'Detach from Atlas')
  const { x, y, width, height } = (await detach.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const [left, top] = [x + width / 2, y + height / 2]
  await page.mouse.click(left, top)
  await expect(names(page)).toHaveText(['Baltic'])
  await expect(section(page).getByRole('heading', { name: 'Workspaces' })).toBeFocused()
  // The second click of the double click, when the next row has moved up.
  await page.mouse.move(left, top)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })

  await button(page, 'Undo').focus()
  await page.keyboard.press('Enter')
  await expect(names(page)).toHaveText(['Atlas', 'Baltic'])
  await expect(heading(page)).toBeFocused()
  const sent = backend.calls(changeDashboardWorkspaces).map(({ body }) => body)
  expect(sent).toMatchObject([{ detach: [1] }, { attach: [{ id: 1 }] }])
})

test('a backend that neither counts them nor checks links has the columns of the list only, and no button', async ({
  page,
  backend,
  open,
}) => {
  // Anything but an http(s) link is shown as text.
  const embed_link = 'javascript:alert(1)'
  const dashboard = { id: 1, name: 'Reach', description: null, embed_link }
  backend.raw(listDashboards, 200, { objects: [dashboard] })
  backend.raw(getDashboard, 200, dashboard)
  await open('/dashboards')
  const headings = ['ID', 'Name', 'Description', 'Embed link', 'Actions']
  await expect(page.getByRole('columnheader')).toHaveText(headings)
  await expect(button(page, 'Check links')).toHaveCount(0)
  await expect(page.getByRole('cell', { name: embed_link, exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: embed_link })).toHaveCount(0)
  await page.getByRole('link', { name: 'Edit Reach' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('Reach')
  await expect(section(page)).toHaveCount(0)
  expect(backend.calls(listDashboardWorkspaces)).toEqual([])
})

test.describe('an embed code in the field of the link', () => {
  const LINK = 'https://app.powerbi.com/view?r=abc&pageName=1'
  const CODE = `<iframe title="Reach"\nwidth="600"\nsrc="${LINK.replace('&', '&amp;')}" allowFullScreen="true"></iframe>`
  const field = (page: Page) => page.getByRole('textbox', { name: 'Embed link' })
  const note = (page: Page) => page.getByText('The address was taken from the embed code.')

  test('is replaced by its address when it is pasted, and when it was typed', async ({ page, context, open }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open('/dashboards/create')
    await expect(field(page)).toHaveAccessibleDescription('You can also paste the whole embed code (<iframe …>).')
    await page.evaluate((code) => navigator.clipboard.writeText(code), CODE)
    await field(page).focus()
    await page.keyboard.press('ControlOrMeta+V')
    await expect(field(page)).toHaveValue(LINK)
    await expect(note(page)).toBeVisible()
    await field(page).fill('https://bi.example/')
    await expect(note(page)).toBeHidden()

    await field(page).fill(`<IFRAME src='${LINK}'>`)
    await field(page).blur()
    await expect(field(page)).toHaveValue(LINK)
    await expect(note(page)).toBeVisible()
  })

  test('is saved by its address with Enter, and stays with the usual error if it has none', async ({
    page,
    backend,
    open,
  }) => {
    backend.answer(createDashboard, aDashboard())
    await open('/dashboards/create')
    await page.getByLabel('Name').fill('Reach')
    await field(page).fill('<iframe title="Reach"></iframe>')
    await field(page).press('Enter')
    const message = /^Embed link must be a valid URL that starts with http:\/\/ or https:\/\/\./
    await expect(field(page)).toHaveAccessibleDescription(message)
    await expect(field(page)).toHaveValue('<iframe title="Reach"></iframe>')
    await field(page).fill(`<iframe src=${LINK}></iframe>`)
    await field(page).press('Enter')
    await expect(page).toHaveURL('/dashboards')
    expect(backend.calls(createDashboard).map(({ body }) => body.embed_link)).toEqual([LINK])
  })
})
