import { edited, signInVera } from './merge-page.ts'
import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { ai, button, field, test, toast } from './workspaces-page.ts'

test.beforeEach(({ faults }) => faults.allow(REFUSED))

test('changes of different fields are merged without a question, and the message says what the other person changed', async ({
  page,
  make,
  watchdesk,
}) => {
  const { id, name, get, vera } = await edited(page, make, watchdesk.url)
  const { ai_quota } = await get()
  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Description').fill('Mine')
  await field(ai(page), 'Balance').fill('777')
  await vera({ status: 'PAID_CLIENT', ai_quota: { ...ai_quota, limit: 5000 } })
  await button(page, 'Save').click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  await expect(toast(page)).toHaveText(
    `Workspace ${name} saved.Vera Moroz changed Status and AI quota limit in the meantime. These changes are kept.`,
  )
  expect(await get()).toMatchObject({
    version: 3,
    description: 'Mine',
    status: 'PAID_CLIENT',
    ai_quota: { ...ai_quota, balance: 777, limit: 5000 },
  })
})

test('saving a record that was deleted meanwhile says who deleted it, and links to the bin', async ({
  page,
  make,
  watchdesk,
}) => {
  const vera = await signInVera(page, make, watchdesk.url)
  const workspace = await make.workspace()
  const user = await make.user(1)
  const dashboard = await make.dashboard()
  const records = [
    { edit: `/users/${user.id}/edit`, path: `users/${user.id}`, kind: 'user', label: 'First name' },
    { edit: `/workspaces/${workspace.id}/edit`, path: `workspaces/${workspace.id}`, kind: 'workspace', label: 'Name' },
    {
      edit: `/dashboards/${dashboard.id}/edit`,
      path: `powerbi_dashboards/${dashboard.id}`,
      kind: 'dashboard',
      label: 'Name',
    },
  ]
  for (const { edit, path, kind, label } of records) {
    await page.goto(edit)
    await field(page, label).fill('Mine')
    await vera('DELETE', path)
    await button(page, 'Save').click()
    await expect(toast(page)).toContainText(`This ${kind} was deleted by Vera Moroz today at`)
    await expect(toast(page).getByRole('link', { name: 'Open the bin' })).toHaveAttribute('href', '/bin')
    await expect(field(page, label)).toHaveValue('Mine')
    page.once('dialog', (leave) => leave.accept())
  }
})
