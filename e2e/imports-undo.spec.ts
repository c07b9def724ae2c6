import { button, dialog, importFile, monitored, newSources, result, rowOf, toast } from './imports-page.ts'
import { expect } from './test.ts'
import { test } from './workspaces-page.ts'

test('an undo says first what it does, removes what was added, is marked in the list, and can be taken back at once', async ({
  page,
  api,
}) => {
  const rows = newSources(3)
  const { id, name, path } = await importFile(api, rows)
  await page.goto(path)
  await button(page, 'Undo import').click()
  await expect(dialog(page)).toHaveAccessibleName(`Undo the import “${name}”?`)
  await expect(dialog(page)).toContainText('Removes 3 sources.')
  await expect(dialog(page).getByRole('checkbox')).toHaveCount(0)
  const request = page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/undo'))
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  expect((await request).headers()['idempotency-key']).toMatch(/^[\da-f]{32}$/)
  await expect(toast(page)).toContainText(`Undone: ${name}. Removed 3 sources.`)
  await expect(result(page).getByRole('paragraph').first()).toHaveText(/^Undone by Super Admin on .*\d{4}/)
  // What it had done is not shown as if it were still so.
  await expect(result(page)).toContainText('Result before that: 3 of 3 rows added')
  await expect(result(page)).toContainText('At that time: Verified: 3 of 3 stored')
  await expect(result(page).getByRole('link', { name: 'Show its sources' })).toHaveCount(0)
  await expect(button(page, 'Undo import')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  expect(await monitored(api, rows)).toEqual([])
  await page.getByRole('main').getByRole('link', { name: 'Imports', exact: true }).click()
  const undone = rowOf(page, name).filter({ hasText: 'Undone' })
  await expect(undone).toHaveCount(1)
  await expect(undone).not.toContainText(/Done|Verified/)

  await toast(page).getByRole('button', { name: 'Redo' }).click()
  await expect(toast(page)).toContainText(`Redone: ${name}.`)
  await expect(undone).toHaveCount(0)
  expect(await monitored(api, rows)).toEqual(['UA', 'UA', 'UA'])
  expect(await api('GET', `imports/${id}`)).toMatchObject({ undone: null })
})
