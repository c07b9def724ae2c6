import type { Import } from '@watchdesk/contract/imports'
import type { Sheet } from '@watchdesk/contract/sheets'
import type { StoryCounts } from '@watchdesk/contract/stories-import'
import {
  button,
  dialog,
  editCountry,
  importFile,
  monitored,
  newSources,
  readImport,
  result,
  rowOf,
  toast,
  undo,
} from './imports-page.ts'
import { test } from './signed-in.ts'
import { importRows, replaceWith } from './sources-page.ts'
import { deleteBox, file, importButton, newNarrative, rowsOf, storiesFile } from './stories-page.ts'
import { expect } from './test.ts'

test('an undo says first what it does, removes what was added, and can be taken back at once', async ({
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
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  expect(await monitored(api, rows)).toHaveLength(3)
  await expect(button(page, 'Undo import')).toBeFocused()

  const request = page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/undo'))
  await undo(page)
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

  await toast(page).getByRole('button', { name: 'Redo' }).click()
  await expect(toast(page)).toContainText(`Redone: ${name}.`)
  await expect(button(page, 'Undo import')).toBeVisible()
  await expect(result(page)).not.toContainText('Undone')
  expect(await monitored(api, rows)).toEqual(['UA', 'UA', 'UA'])
  expect((await readImport(api, id)).undone).toBeNull()
})

test('the page of a change of many records and of its undo leads to its events', async ({ page, api }) => {
  const quota = { limit: 10, balance: 5, renewal_date: '2030-01-01T00:00:00' }
  const workspace = { name: 'Events', analytical_quota: quota, ai_quota: quota }
  const { id } = await api<{ id: number }>('POST', '/api/v1/workspaces/', workspace)
  const dashboard = { name: 'Events', embed_link: 'https://bi.example/events' }
  const { id: dashboard_id } = await api<{ id: number }>('POST', '/api/v1/powerbi_dashboards/', dashboard)
  const row = { row: 1, email: 'Eva Events <eva.events@example.com>', password: 'quiet river stone' }
  const settings = { workspace_id: id, type: 'STANDARD', language: '', is_admin: false }
  type Added = { import_id: number; rows: { user_id: number }[] }
  const added = await api<Added>('POST', '/api/v1/users/import', { ...settings, rows_count: 1, rows: [row] })

  const change = async (records: string, ids: unknown[], body: object) => {
    const expected = { expected_count: 1, expected_changed_count: 1 }
    const path = `/api/v1/${records}/change`
    return (await api<{ import_id: number }>('POST', path, { ids, ...body, ...expected })).import_id
  }
  const user_id = added.rows[0]?.user_id
  const moderator = { action: 'update', set: { type: 'MODERATOR' } }
  const changes = [
    await change('users', [user_id], moderator),
    await change('powerbi_dashboards', [dashboard_id], { action: 'delete' }),
    await change('workspaces', [id], { action: 'update', set: { status: 'INTERNAL' } }),
  ]
  const undos: number[] = []
  for (const done of changes) {
    undos.push((await api<Import>('POST', `/api/v1/imports/${done}/undo`, { changed: 'leave' })).id)
  }
  for (const shown of [added.import_id, ...changes, ...undos]) {
    await page.goto(`/imports/${shown}`)
    await page.getByRole('link', { name: 'Show in Activity' }).click()
    await expect(page).toHaveURL(new RegExp(`entity_id=${shown}$`))
    await expect(
      page.getByRole('main').getByText(/^Super Admin (added|imported|changed|deleted|set|undid)/),
    ).toBeVisible()
  }
})

test('an import that was undone is marked in the list, and is redone from its page; then undone again', async ({
  page,
  api,
}) => {
  const rows = newSources(2)
  const { name, path } = await importFile(api, rows)
  await page.goto(path)
  await undo(page)
  await page.getByRole('link', { name: 'Show', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Undo: ${name}`)
  await expect(result(page)).toContainText('Removed 2 sources')
  await expect(result(page)).toContainText(`It undid the import “${name}”.`)
  await page.getByRole('link', { name: `the import “${name}”` }).click()
  await expect(page).toHaveURL(path)

  await page.goto(`/imports?search=${name}`)
  const undone = rowOf(page, name).filter({ hasText: 'Undone' })
  await expect(undone).toHaveCount(1)
  await expect(undone).not.toContainText('Done')
  await expect(undone).not.toContainText('Verified')
  await page.goto(path)
  await undo(page, 'Redo')
  await expect(toast(page)).toContainText('Restored 2 sources')
  expect(await monitored(api, rows)).toHaveLength(2)
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Redo: ${name}`)
  await expect(result(page)).toContainText('It took back an undo.')
  await undo(page)
  await expect(toast(page)).toContainText('Removed 2 sources')
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(result(page)).toContainText('It undid a redo.')
  const last = page.url()
  await page.goto(path)
  await result(page).getByRole('link', { name: 'Undone' }).click()
  await expect(page).toHaveURL(last)
  await page.goto(path)
  await expect(result(page)).toContainText('Undone by')
  expect(await monitored(api, rows)).toEqual([])
  await page.reload()
  await undo(page, 'Redo')
  expect(await monitored(api, rows)).toEqual(['UA', 'UA'])
})

test('sources that changed since are undone too if they are chosen, one by one or all', async ({ page, api }) => {
  const rows = newSources(4)
  const { path } = await importFile(api, rows)
  await editCountry(api, rows[0], 'PL')
  await editCountry(api, rows[1], 'DE')
  await editCountry(api, rows[2], 'FR')
  await page.goto(path)
  await button(page, 'Undo import').click()
  const all = dialog(page).getByRole('checkbox', { name: 'Remove all 3 too' })
  await expect(dialog(page)).toContainText('Removes 1 source.')
  await all.check()
  await expect(dialog(page)).toContainText('Removes 4 sources.')
  for (const row of rows.slice(0, 3)) {
    await expect(dialog(page).getByRole('checkbox', { name: row.source_url })).toBeChecked()
  }
  await dialog(page)
    .getByRole('checkbox', { name: rows[2]?.source_url ?? '' })
    .uncheck()
  await expect(all).not.toBeChecked()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(toast(page)).toContainText('Removed 3 sources and left 1 source alone.')
  expect(await monitored(api, rows)).toEqual(['FR'])
  // A redo gives those back that were changed, as they were.
  await undo(page, 'Redo')
  await expect(toast(page)).toContainText('Restored 3 sources')
  expect((await monitored(api, rows)).sort()).toEqual(['DE', 'FR', 'PL', 'UA'])
})

test('a stories import that deleted the existing stories is undone', async ({ page, api }) => {
  const narrative = newNarrative()
  const count = async () =>
    (await api<StoryCounts>('GET', `/api/v1/stories-import/story-counts?narrative_ids=${narrative}`)).counts[0]
      ?.stories_count
  await page.goto('/stories_import')
  await file(page).setInputFiles(storiesFile(rowsOf(narrative, 3)))
  await importButton(page).click()
  await expect(page.getByText('Verified: 3 of 3 stored')).toBeVisible()
  await file(page).setInputFiles(storiesFile([[narrative, 'TELEGRAM:POST:9', 'Another story']], 'replacing.csv'))
  await deleteBox(page).check()
  await importButton(page).click()
  await dialog(page).getByRole('button', { name: 'Delete and import' }).click()
  await expect(page.getByRole('heading', { name: 'Imported replacing.csv' })).toBeVisible()
  expect(await count()).toBe(1)
  await page.getByRole('link', { name: 'See the import' }).click()
  await button(page, 'Undo import').click()
  await expect(dialog(page)).toContainText('Removes 1 story and restores 3 stories.')
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(toast(page)).toContainText('Removed 1 story and restored 3 stories.')
  expect(await count()).toBe(3)
})

test('a sheet gets its rows back', async ({ page, api }) => {
  const sheet = await importRows(api, newSources(2))
  await page.goto(sheet)
  await replaceWith(page, 'new.csv', 'a,b\r\n1,2\r\n')
  await expect(toast(page)).toBeVisible()
  await page.goto('/imports?kind=sheet_replacement')
  await rowOf(page, 'new.csv').first().getByRole('link').click()
  await expect(result(page)).toContainText('The sheet got 1 row')
  await undo(page, 'Undo replacement')
  await expect(toast(page)).toContainText('Gave the sheet its 2 rows back.')
  expect((await api<Sheet>('GET', `/api/v1${sheet}`)).row_count).toBe(2)
})
