import type { Page } from '@playwright/test'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expectAccessible } from './accessible.ts'
import { REFUSED } from './session-page.ts'
import { test } from './signed-in.ts'
import { expect, storeToken } from './test.ts'

const DASHBOARDS = '/api/v1/powerbi_dashboards/'
const quota = { limit: 10, balance: 5, renewal_date: '2030-01-01T00:00:00' }

let made = 0
function newDashboard() {
  made += 1
  return { name: `Shared ${made}`, description: null, embed_link: `https://bi.example/shared/${made}` }
}

type Api = <Result>(method: string, path: string, data?: object) => Promise<Result>

async function newWorkspaces(api: Api, names: string[], powerbi_dashboards: number[] = []) {
  const workspaces: Workspace[] = []
  for (const name of names) {
    const body = { name, analytical_quota: quota, ai_quota: quota, powerbi_dashboards }
    workspaces.push(await api<Workspace>('POST', '/api/v1/workspaces/', body))
  }
  return workspaces
}

const section = (page: Page) => page.getByRole('region', { name: 'Workspaces' })
const names = (page: Page) => section(page).getByRole('table').getByRole('link')
const dashboardsOf = async (api: Api, id: number) =>
  (await api<Workspace>('GET', `/api/v1/workspaces/${id}`)).config.powerbi_dashboards

test('a column of the list says in how many workspaces a dashboard is used, and leads to them', async ({
  page,
  api,
}) => {
  const dashboard = await api<Dashboard>('POST', DASHBOARDS, newDashboard())
  const all = Array.from({ length: 23 }, (_, index) => `Used ${String(index + 10)} of ${dashboard.name}`)
  const [first] = await newWorkspaces(api, all, [dashboard.id])
  await page.goto('/dashboards?columns=id,name,workspaces_count')
  const row = page.getByRole('row').filter({ hasText: dashboard.name })
  await row.getByRole('link', { name: '23 workspaces' }).click()
  await expect(page).toHaveURL(`/dashboards/${dashboard.id}/edit#workspaces`)
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
  await expect(page).toHaveURL(`/workspaces/${first?.id}`)
})

test('detaching and attaching take effect at once and can be undone', async ({ page, api }) => {
  const [other, dashboard] = [
    await api<Dashboard>('POST', DASHBOARDS, newDashboard()),
    await api<Dashboard>('POST', DASHBOARDS, newDashboard()),
  ]
  const title = `Attached ${dashboard.name}`
  const [a, b, c] = (
    await newWorkspaces(
      api,
      ['A', 'B', 'C'].map((letter) => `${letter} ${title}`),
    )
  ).map(({ id }) => id)
  if (!a || !b || !c) throw new Error('No workspaces')
  await api('POST', `${DASHBOARDS}${dashboard.id}/workspaces`, { attach: [{ id: a }] })
  await api('POST', `${DASHBOARDS}${other.id}/workspaces`, { attach: [{ id: a }] })

  await page.goto(`/dashboards/${dashboard.id}/edit`)
  // What is typed above stays.
  await page.getByLabel('Name').fill('Typed')
  await page.getByRole('button', { name: `Detach from A ${title}` }).click()
  await expect(page.getByText(`${dashboard.name} detached from A ${title}.`)).toBeVisible()
  await expect(section(page).getByText('No workspace shows this dashboard yet.')).toBeVisible()
  expect(await dashboardsOf(api, a)).toEqual([other.id])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${dashboard.name} attached to A ${title}.`)).toBeVisible()
  await expect(names(page)).toHaveText([`A ${title}`])
  expect(await dashboardsOf(api, a)).toEqual([dashboard.id, other.id])

  await section(page).getByRole('button', { name: 'Attach to workspaces' }).click()
  const dialog = page.getByRole('dialog', { name: `Attach ${dashboard.name} to workspaces` })
  await dialog.getByRole('searchbox').fill(title)
  await expect(dialog.getByRole('checkbox')).toHaveCount(3)
  await expect(dialog.getByRole('checkbox', { name: `A ${title} Attached already` })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: `B ${title}` }).check()
  await dialog.getByRole('searchbox').fill(`c ${title}`)
  await dialog.getByRole('checkbox', { name: `C ${title}` }).check()
  await expect(dialog.getByRole('list', { name: 'Chosen workspaces' })).toHaveText(`B ${title}C ${title}`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Attach to 2 workspaces' }).click()
  await expect(page.getByText(`${dashboard.name} attached to 2 workspaces.`)).toBeVisible()
  await expect(names(page)).toHaveText(['A', 'B', 'C'].map((letter) => `${letter} ${title}`))
  const message = page.locator('[data-kind]').filter({ hasText: '2 workspaces.' })
  await message.getByRole('button', { name: 'Undo' }).click()
  await expect(names(page)).toHaveText([`A ${title}`])
  await message.getByRole('button', { name: 'Redo' }).click()
  await expect(names(page)).toHaveText(['A', 'B', 'C'].map((letter) => `${letter} ${title}`))
  await expect(page.getByLabel('Name')).toHaveValue('Typed')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
})

test('a double click detaches one workspace, and the focus stays near what it was on', async ({ page, api }) => {
  const dashboard = await api<Dashboard>('POST', DASHBOARDS, newDashboard())
  const [a, b] = ['A', 'B'].map((letter) => `${letter} twice ${dashboard.name}`)
  if (!a || !b) throw new Error('No names')
  await newWorkspaces(api, [a, b], [dashboard.id])
  await page.goto(`/dashboards/${dashboard.id}/edit`)
  const detach = page.getByRole('button', { name: `Detach from ${a}` })
  const { x, y, width, height } = (await detach.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const [left, top] = [x + width / 2, y + height / 2]
  await page.mouse.click(left, top)
  await expect(names(page)).toHaveText([b])
  await expect(section(page).getByRole('heading', { name: 'Workspaces' })).toBeFocused()
  // The second click of the double click, when the next row has moved up.
  await page.mouse.move(left, top)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })

  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await expect(names(page)).toHaveText([a, b])
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('the history of the dashboard and of each workspace shows it', async ({ page, api }) => {
  const dashboard = await api<Dashboard>('POST', DASHBOARDS, newDashboard())
  const [workspace] = await newWorkspaces(api, [`Told by ${dashboard.name}`])
  await api('POST', `${DASHBOARDS}${dashboard.id}/workspaces`, { attach: [{ id: workspace?.id }] })
  await page.goto(`/dashboards/${dashboard.id}/edit?history=true`)
  const panel = page.getByRole('dialog', { name: 'History' })
  const sentence = `Super Admin attached the dashboard ${dashboard.name} to 1 workspace`
  await panel.getByRole('button', { name: `Details: ${sentence}` }).click()
  await expect(panel.getByRole('button', { name: 'Put back Workspaces' })).toHaveCount(0)
  await expect(panel.getByRole('list', { name: 'Parts of this event' })).toContainText(
    `Super Admin changed the PowerBI dashboards of ${workspace?.name}`,
  )
  await page.goto(`/workspaces/${workspace?.id}?history=true`)
  await expect(panel).toContainText(`Super Admin changed the PowerBI dashboards of ${workspace?.name}`)
})

test('a backend that does not count them has the columns of the list only', async ({ page, otherBackend, faults }) => {
  faults.allow(REFUSED)
  const dashboard = { id: 1, name: 'Reach', description: null, embed_link: 'https://bi.example/a' }
  otherBackend.responses[`GET ${DASHBOARDS}`] = { status: 200, body: { objects: [dashboard] } }
  otherBackend.responses[`GET ${DASHBOARDS}1`] = { status: 200, body: dashboard }
  await storeToken(page, otherBackend.url, 'any')
  await page.goto(`${otherBackend.url}/dashboards`)
  const headings = ['ID', 'Name', 'Description', 'Embed link', 'Actions']
  await expect(page.getByRole('columnheader')).toHaveText(headings)
  await page.getByRole('link', { name: 'Edit Reach' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('Reach')
  await expect(section(page)).toHaveCount(0)
  expect(otherBackend.calls.map(({ call }) => call)).not.toContain(`GET ${DASHBOARDS}1/workspaces`)
})

test.describe('an embed code in the field of the link', () => {
  const LINK = 'https://app.powerbi.com/view?r=abc&pageName=1'
  const CODE = `<iframe title="Reach"\nwidth="600"\nsrc="${LINK.replace('&', '&amp;')}" allowFullScreen="true"></iframe>`
  const field = (page: Page) => page.getByRole('textbox', { name: 'Embed link' })
  const note = (page: Page) => page.getByText('The address was taken from the embed code.')

  test('is replaced by its address when it is pasted, and when it was typed', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/dashboards/create')
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
    await expectAccessible(page)
  })

  test('is saved by its address with Enter, and stays with the usual error if it has none', async ({ page, api }) => {
    const { name } = newDashboard()
    await page.goto('/dashboards/create')
    await page.getByLabel('Name').fill(name)
    await field(page).fill('<iframe title="Reach"></iframe>')
    await field(page).press('Enter')
    const message = /^Embed link must be a valid URL that starts with http:\/\/ or https:\/\/\./
    await expect(field(page)).toHaveAccessibleDescription(message)
    await expect(field(page)).toHaveValue('<iframe title="Reach"></iframe>')
    await field(page).fill(`<iframe src=${LINK}></iframe>`)
    await field(page).press('Enter')
    await expect(page).toHaveURL('/dashboards')
    const { objects } = await api<{ objects: Dashboard[] }>('GET', DASHBOARDS)
    expect(objects.find((dashboard) => dashboard.name === name)?.embed_link).toBe(LINK)
  })
})
