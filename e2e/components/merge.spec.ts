import { button, field, toast } from '../workspaces-page.ts'
import { aWorkspace } from './records.ts'
import { expect, test } from './test.ts'
import { keepWorkspaces, saveAsVera } from './workspaces.ts'

test('the same change by both is no question', async ({ page, backend, open }) => {
  const rows = keepWorkspaces(backend, aWorkspace())
  await open('/workspaces/1/edit')
  await field(page, 'Description').fill('Same')
  saveAsVera(rows, { description: 'Same' })
  await button(page, 'Save').click()
  await expect(toast(page)).toHaveText('Workspace Baltic saved.')
  expect(rows).toMatchObject([{ description: 'Same' }])
})

test('someone saves again while the merged values are sent: they are merged once more', async ({
  page,
  backend,
  open,
}) => {
  const rows = keepWorkspaces(backend, aWorkspace())
  await open('/workspaces/1/edit')
  await field(page, 'Description').fill('Mine')
  saveAsVera(rows, { status: 'PAID_CLIENT' })
  const changes = [{}, { homepage: '/first' }, { language: 'uk' }, { homepage: '/second' }]
  await page.route('**/api/v1/workspaces/1', async (route) => {
    const config = route.request().method() === 'PUT' && changes.shift()
    if (config) saveAsVera(rows, { config })
    await route.fallback()
  })
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/workspaces/1')
  expect(rows).toMatchObject([
    { description: 'Mine', status: 'PAID_CLIENT', config: { homepage: '/second', language: 'uk' } },
  ])
})
