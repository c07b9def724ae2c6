import { expect } from './test.ts'
import { button, choose, field, row, rows, select, test, toast, unique } from './workspaces-page.ts'

test('the message about a new user has the trimmed name and a link that finds the user among many others', async ({
  page,
  make,
}) => {
  const { name } = await make.workspace()
  const last = unique('Marchenko')
  await page.goto('/users/create')
  await select(page, 'Workspace').fill(name)
  await choose(page, 'Workspace', name)
  await field(page, 'First name').fill('  Olena ')
  await field(page, 'Last name').fill(`${last}  `)
  await field(page, 'Email').fill(`${last}@example.com`)
  await button(page, 'Generate').click()
  await button(page, 'Create').click()
  await expect(page).toHaveURL(/\/users(\?|$)/)
  await expect(toast(page)).toContainText(`User Olena ${last} created.`)
  await toast(page).getByRole('link', { name: 'Show', exact: true }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(row(page, last)).toContainText(`Olena ${last}`)
  await expect(toast(page)).toHaveCount(0)

  await row(page, last)
    .getByRole('link', { name: `Edit Olena ${last}` })
    .click()
  await field(page, 'First name').fill('Olha')
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText(`User Olha ${last} saved.`)
})
