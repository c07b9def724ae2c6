import { expectAccessible } from './accessible.ts'
import { expect } from './test.ts'
import { addFilter, button, chips, filters, found, row, rows, test, unique } from './workspaces-page.ts'

const DAY_MS = 86_400_000
function inDays(days: number) {
  return `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T00:00:00`
}

function quota(balance: number, limit = 1000, renewal = 30) {
  return { balance, limit, renewal_date: inDays(renewal) }
}

test('filters are chips that read as sentences, in the address: reload and Back keep them', async ({ page, make }) => {
  const name = unique('Chips')
  await make.workspace({ name: `${name} a`, status: 'TRIAL', trial_end_date: inDays(5) })
  await make.workspace({ name: `${name} b`, status: 'TRIAL', trial_end_date: inDays(-1) })
  await make.workspace({ name: `${name} c`, status: 'INTERNAL', analytical_quota: quota(90) })
  await page.goto(`/workspaces?search=${name}`)
  await expect(found(page)).toHaveText('3 workspaces found')

  await addFilter(page, 'Status')
  await filters(page).getByRole('checkbox', { name: 'TRIAL', exact: true }).check()
  await expect(found(page)).toHaveText('2 workspaces found')
  await filters(page).getByRole('checkbox', { name: 'INTERNAL', exact: true }).check()
  await expect(found(page)).toHaveText('3 workspaces found')
  await page.keyboard.press('Escape')
  await expect(chips(page)).toHaveText(['Status: TRIAL, INTERNAL'])

  await addFilter(page, 'Trial', 'Ends within 7 days')
  await expect(chips(page)).toHaveText(['Status: TRIAL, INTERNAL', 'Trial: ends within 7 days'])
  await expect(rows(page)).toHaveCount(1)
  await expectAccessible(page)
  await page.reload()
  await expect(chips(page)).toHaveText(['Status: TRIAL, INTERNAL', 'Trial: ends within 7 days'])
  await expect(row(page, `${name} a`)).toBeVisible()

  // A chip opens its field again. Days replace the choice.
  await filters(page).getByRole('button', { name: 'Trial: ends within 7 days', exact: true }).click()
  await filters(page).getByLabel('Trial ends until').fill(inDays(-1).slice(0, 10))
  await expect(chips(page).nth(1)).toHaveText(/^Trial: ends until /)
  await expect(row(page, `${name} b`)).toContainText('TRIAL')
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('Escape')

  await button(page, 'Clear').click()
  await expect(page).toHaveURL(`/workspaces?search=${name}`)
  await page.goBack()
  await expect(rows(page)).toHaveCount(1)
})

test('quotas by a number, overdue renewals, and workspaces without an admin', async ({ page, make }) => {
  const name = unique('Left')
  const low = await make.workspace({ name: `${name} low`, analytical_quota: quota(90) })
  await make.workspace({ name: `${name} late`, ai_quota: quota(500, 1000, -2) })
  await make.user(low.id, { is_admin: true })
  await page.goto(`/workspaces?search=${name}`)
  await addFilter(page, 'Analytical quota')
  await filters(page).getByRole('textbox', { name: 'Analytical quota left, less than (%)' }).fill('9')
  await page.keyboard.press('Enter')
  await expect(chips(page)).toHaveText(['Analytical quota: less than 9% left'])
  await expect(page.getByText('No workspaces match.')).toBeVisible()
  await filters(page).getByRole('button', { name: 'Analytical quota: less than 9% left', exact: true }).click()
  await button(page, 'Less than 10% left').click()
  await expect(row(page, `${name} low`)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)

  await addFilter(page, 'Has no admin')
  await expect(chips(page)).toHaveText(['Analytical quota: less than 10% left', 'Admins: none'])
  await expect(page.getByText('No workspaces match.')).toBeVisible()
  await button(page, 'Remove Analytical quota: less than 10% left').click()
  await expect(button(page, 'Add filter')).toBeFocused()
  await addFilter(page, 'Quota renewal overdue')
  await expect(chips(page)).toHaveText(['Quota renewal: overdue', 'Admins: none'])
  await expect(row(page, `${name} late`)).toBeVisible()
})
