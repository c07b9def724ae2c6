import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expect } from './test.ts'
import { button, field, heading, row, test, toast, unique } from './workspaces-page.ts'

test('a dashboard is created, edited, and deleted with its place in a workspace, which can be undone', async ({
  page,
  api,
  make,
}) => {
  const [name, embed_link] = [unique('Reach'), `https://bi.example/${unique('reach')}`]
  await page.goto('/dashboards/create')
  await field(page, 'Name').fill(name)
  await field(page, 'Embed link').fill(` ${embed_link} `)
  const created = page.waitForResponse((response) => response.request().method() === 'POST')
  await field(page, 'Embed link').press('Enter')
  expect((await created).request().postDataJSON()).toEqual({ name, description: null, embed_link })
  await expect(page).toHaveURL('/dashboards')

  const dashboard: Dashboard = await (await created).json()
  const { id } = await make.workspace({ powerbi_dashboards: [dashboard.id] })
  const listed = async () =>
    (await api<Workspace>('GET', `workspaces/${id}`)).config.powerbi_dashboards.includes(dashboard.id)
  await page.getByRole('link', { name: `Edit ${name}` }).click()
  await expect(heading(page)).toHaveText(`Edit dashboard ${name}`)
  await expect(field(page, 'Name')).toHaveValue(name)
  await expect(field(page, 'Description')).toHaveValue('')
  await expect(field(page, 'Embed link')).toHaveValue(embed_link)
  const changed = { name: unique('Reach'), embed_link: `${embed_link}/changed` }
  await field(page, 'Name').fill(changed.name)
  await field(page, 'Embed link').fill(changed.embed_link)
  const request = page.waitForRequest((sent) => sent.method() === 'PATCH')
  await button(page, 'Save').click()
  expect((await request).postDataJSON()).toEqual(changed)
  expect((await request).headers()['if-match']).toBe('"1"')
  await expect(page).toHaveURL('/dashboards')
  await expect(row(page, changed.name).getByRole('cell').nth(3)).toHaveText(changed.embed_link)

  await button(page, `Delete ${changed.name}`).click()
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this dashboard?' })
  await expect(dialog).toContainText(`This deletes ${changed.name} and removes it from all workspaces.`)
  const removal = page.waitForRequest((sent) => sent.method() === 'DELETE')
  await button(dialog, 'Delete').click()
  expect((await removal).headers()['if-match']).toBe('"2"')
  await expect(toast(page)).toContainText('Dashboard removed successfully!')
  await expect(row(page, changed.name)).toHaveCount(0)
  expect(await listed()).toBe(false)
  await button(page, 'Undo').click()
  await expect(toast(page).filter({ hasText: 'restored' })).toHaveText(`Dashboard ${changed.name} restored.`)
  await expect(row(page, changed.name)).toBeVisible()
  expect(await listed()).toBe(true)
})
