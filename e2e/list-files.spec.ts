import type { Page } from '@playwright/test'
import { downloaded } from './sources-page.ts'
import { expect, signIn } from './test.ts'
import { button, PASSWORD, rows, test, unique } from './workspaces-page.ts'

/** The lines of the file, without its byte order mark. */
async function exported(page: Page, format: 'CSV' | 'XLSX') {
  await button(page, 'Export').click()
  const file = await downloaded(page, page.getByRole('menuitem', { name: format }))
  return { ...file, lines: file.text.replace('\ufeff', '').trim().split('\r\n') }
}

test('an exported file has the rows that match, and the columns that are shown, in their order', async ({
  page,
  make,
}) => {
  const name = unique('File')
  for (const [letter, status] of [
    ['b', 'INTERNAL'],
    ['a', 'INTERNAL'],
    ['c', 'PAID_CLIENT'],
  ])
    await make.workspace({ name: `${name} ${letter}`, status })
  await page.goto(`/workspaces?search=${name}&status=INTERNAL&sort=name&columns=status,name,ai_quota`)
  await expect(rows(page)).toHaveCount(2)
  const csv = await exported(page, 'CSV')
  expect(csv.name).toMatch(/^workspaces-\d{4}-\d\d-\d\d\.csv$/)
  expect(csv.lines).toEqual([
    'Status,Name,AI quota left,AI quota limit',
    `INTERNAL,${name} a,250,1000`,
    `INTERNAL,${name} b,250,1000`,
  ])
  await expect(button(page, 'Export')).toBeFocused()
  const xlsx = await exported(page, 'XLSX')
  expect(xlsx.name).toMatch(/\.xlsx$/)
  expect(xlsx.content.subarray(0, 2).toString()).toBe('PK')
})

test('a workspace admin exports the users of the own workspace under the headings of the table, also on a phone, and sees it in the activity', async ({
  page,
  watchdesk,
  make,
}) => {
  const { id } = await make.workspace()
  const { email, last_name } = await make.user(id, { is_admin: true })
  await make.user((await make.workspace()).id)
  await signIn(page, { url: watchdesk.url, email, password: PASSWORD })
  await page.goto('/users')
  await expect(rows(page)).toHaveCount(1)
  const headings = await page.getByRole('columnheader').allInnerTexts()
  const { lines } = await exported(page, 'CSV')
  expect(lines[0]?.split(',')).toEqual(headings.slice(0, -1))
  expect(lines).toHaveLength(2)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/users?columns=email')
  const file = await exported(page, 'CSV')
  expect(file.name).toMatch(/^users-.*\.csv$/)
  expect(file.lines).toEqual(['Email', email])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.goto('/activity')
  await expect(page.getByText(`Iryna ${last_name} downloaded users as CSV`)).toHaveCount(2)
})
