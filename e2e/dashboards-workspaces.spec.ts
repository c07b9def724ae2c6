import type { Workspace } from '@watchdesk/contract/workspaces'
import { names, section } from './dashboards-page.ts'
import { expect } from './test.ts'
import { test } from './workspaces-page.ts'

test('detaching and attaching take effect at once and can be undone', async ({ page, api, make }) => {
  const dashboardsOf = async (id: number) => (await api<Workspace>('GET', `workspaces/${id}`)).config.powerbi_dashboards
  const [other, dashboard] = [await make.dashboard(), await make.dashboard()]
  const title = `Attached ${dashboard.name}`
  const { id: a } = await make.workspace({ name: `A ${title}`, powerbi_dashboards: [dashboard.id, other.id] })
  for (const letter of ['B', 'C']) await make.workspace({ name: `${letter} ${title}` })

  await page.goto(`/dashboards/${dashboard.id}/edit`)
  // What is typed above stays.
  await page.getByLabel('Name').fill('Typed')
  await page.getByRole('button', { name: `Detach from A ${title}` }).click()
  await expect(page.getByText(`${dashboard.name} detached from A ${title}.`)).toBeVisible()
  await expect(section(page).getByText('No workspace shows this dashboard yet.')).toBeVisible()
  expect(await dashboardsOf(a)).toEqual([other.id])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${dashboard.name} attached to A ${title}.`)).toBeVisible()
  await expect(names(page)).toHaveText([`A ${title}`])
  expect(await dashboardsOf(a)).toEqual([dashboard.id, other.id])

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
