import type { Page } from '@playwright/test'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { button, field, heading, row, test, toast, unique } from './workspaces-page.ts'

async function openEdit(page: Page, { id, name }: Dashboard) {
  await page.goto(`/dashboards/${id}/edit`)
  await expect(heading(page)).toHaveText(`Edit dashboard ${name}`)
}

test('delete asks with the name, confirms, and can be undone', async ({ page, api, make }) => {
  const dashboard = await make.dashboard()
  const { id } = await make.workspace({ powerbi_dashboards: [dashboard.id] })
  const listed = async () =>
    (await api<Workspace>('GET', `workspaces/${id}`)).config.powerbi_dashboards.includes(dashboard.id)

  await page.goto('/dashboards')
  await button(page, `Delete ${dashboard.name}`).click()
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this dashboard?' })
  await expect(dialog).toContainText(`This deletes ${dashboard.name} and removes it from all workspaces.`)
  await button(dialog, 'Cancel').click()
  await expect(dialog).toHaveCount(0)
  await expect(row(page, dashboard.name)).toBeVisible()

  await button(page, `Delete ${dashboard.name}`).click()
  const request = page.waitForRequest((sent) => sent.method() === 'DELETE')
  await button(dialog, 'Delete').click()
  expect((await request).headers()['if-match']).toBe('"1"')
  await expect(toast(page)).toContainText('Dashboard removed successfully!')
  await expect(row(page, dashboard.name)).toHaveCount(0)
  expect(await listed()).toBe(false)

  await button(page, 'Undo').click()
  await expect(toast(page).filter({ hasText: 'restored' })).toHaveText(`Dashboard ${dashboard.name} restored.`)
  await expect(row(page, dashboard.name)).toBeVisible()
  expect(await listed()).toBe(true)
})

test('create sends the three fields and returns to the list; edit is titled with the name, prefilled, and sends only what is not null', async ({
  page,
  api,
}) => {
  const [name, embed_link] = [unique('Reach'), `https://bi.example/${unique('reach')}`]
  await page.goto('/dashboards/create')
  await field(page, 'Name').fill(name)
  await field(page, 'Embed link').fill(` ${embed_link} `)
  const created = page.waitForResponse((response) => response.request().method() === 'POST')
  await field(page, 'Embed link').press('Enter')
  expect((await created).request().postDataJSON()).toEqual({ name, description: null, embed_link })
  await expect(page).toHaveURL('/dashboards')
  await expect(row(page, name)).toBeVisible()

  const dashboard: Dashboard = await (await created).json()
  await openEdit(page, dashboard)
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
  expect(await api('GET', `powerbi_dashboards/${dashboard.id}`)).toMatchObject({ ...changed, description: null })
})

test('two people at once: other fields are merged, the same field is asked about', async ({
  page,
  api,
  make,
  faults,
}) => {
  faults.allow(REFUSED)
  const dashboard = await make.dashboard()
  const address = `powerbi_dashboards/${dashboard.id}`
  const name = unique('Reach')
  await openEdit(page, dashboard)
  await api('PATCH', address, { name, description: 'Theirs' })
  await field(page, 'Description').fill('Mine')
  await button(page, 'Save').click()
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this dashboard while you were editing' })
  await expect(dialog).toContainText('Super Admin changed Name in the meantime. This change is kept.')
  await expect(dialog.getByRole('radiogroup')).toHaveAccessibleName('Description')
  await dialog.getByRole('radio', { name: 'Mine' }).check()
  await button(dialog, 'Save').click()
  await expect(page).toHaveURL('/dashboards')
  const { embed_link } = dashboard
  expect(await api('GET', address)).toMatchObject({ name, description: 'Mine', embed_link })
})
