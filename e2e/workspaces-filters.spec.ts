import { expect } from './test.ts'
import { addFilter, button, chips, filters, found, row, rows, test, unique } from './workspaces-page.ts'

const DAY_MS = 86_400_000
function inDays(days: number) {
  return `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T00:00:00`
}

test('filters are chips that read as sentences, in the address: reload and Back keep them', async ({ page, make }) => {
  const name = unique('Chips')
  await make.workspace({ name: `${name} a`, status: 'TRIAL', trial_end_date: inDays(5) })
  await make.workspace({ name: `${name} b`, status: 'TRIAL', trial_end_date: inDays(-1) })
  await make.workspace({ name: `${name} c`, status: 'INTERNAL' })
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
