import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { names, section } from './dashboards-page.ts'
import { test } from './signed-in.ts'
import { expect } from './test.ts'

const DASHBOARDS = '/api/v1/powerbi_dashboards/'
const quota = { limit: 10, balance: 5, renewal_date: '2030-01-01T00:00:00' }

let made = 0
function newDashboard() {
  made += 1
  return { name: `Shared ${made}`, description: null, embed_link: `https://bi.example/shared/${made}` }
}

type Api = <Result>(method: string, path: string, data?: object) => Promise<Result>

async function newWorkspaces(api: Api, names: string[]) {
  const workspaces: Workspace[] = []
  for (const name of names) {
    const body = { name, analytical_quota: quota, ai_quota: quota }
    workspaces.push(await api<Workspace>('POST', '/api/v1/workspaces/', body))
  }
  return workspaces
}

const dashboardsOf = async (api: Api, id: number) =>
  (await api<Workspace>('GET', `/api/v1/workspaces/${id}`)).config.powerbi_dashboards

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
