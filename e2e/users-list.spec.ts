import { expect } from './test.ts'
import { button, rows, search } from './users-page.ts'
import { test, unique } from './workspaces-page.ts'

test('page, search, sort and filter are in the address; reload and back keep them', async ({ page, make }) => {
  const { id, name } = await make.workspace()
  const word = unique('many')
  for (let index = 10; index < 31; index += 1) {
    await make.user(id, { last_name: `${word} ${index}`, password: undefined, invite: true })
  }

  await page.goto('/users')
  await page.getByRole('combobox', { name: 'Workspace' }).fill(name)
  await page.getByRole('option', { name }).click()
  await expect(page).toHaveURL(`/users?workspace_id=${id}`)
  await expect(page.getByText('1–20 of 21')).toBeVisible()
  await expect(rows(page)).toHaveCount(20)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages.getByRole('link')).toHaveText(['1', '2', ''])
  await pages.getByRole('link', { name: 'Next page' }).click()
  await expect(page.getByText('21–21 of 21')).toBeVisible()
  await expect(pages.locator('[aria-current=page]')).toHaveText('2')
  await expect(page).toHaveURL(/page=2/)
  await page.reload()
  await expect(page.getByText('21–21 of 21')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('1–20 of 21')).toBeVisible()

  await button(page, 'Full Name').click()
  await expect(page.getByRole('columnheader', { name: 'Full Name' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows(page).first()).toContainText(`${word} 10`)
  await button(page, 'Full Name').click()
  await expect(page.getByRole('columnheader', { name: 'Full Name' })).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(page).first()).toContainText(`${word} 30`)

  await search(page).fill(`${word.toUpperCase()} 2`)
  await expect(page.getByText('1–10 of 10')).toBeVisible()
  await search(page).fill('nobody is called so')
  await expect(page.getByText('No users match.')).toBeVisible()
  await button(page, 'Show all users').click()
  await expect(page).toHaveURL(/^((?!workspace_id).)*$/)
  await expect(rows(page).first()).toBeVisible()
})
