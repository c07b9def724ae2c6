import { getOperation, listOperations, type Operation } from '@watchdesk/contract/operations/operations'
import { getSource } from '@watchdesk/contract/sources'
import { getUser, listUsers } from '@watchdesk/contract/users'
import { anImport, button, result, rowOf } from '../imports-page.ts'
import type { Backend } from './backend.ts'
import { ME } from './records.ts'
import { answerList, expect, test } from './test.ts'

/** The pages that import, and the kind of their imports. */
const PAGES = Object.entries({
  source_import: 'source_import',
  source_management: 'platform_import',
  stories_import: 'stories_import',
})

const verified = (count: number) => ({
  expected_count: count,
  stored_count: count,
  is_equal: true,
  checksum: 'a',
  at: '2026-11-17T01:00:09.000Z',
})

function answerImports(backend: Backend, ...imports: Operation[]) {
  answerList(backend, listOperations, imports, getOperation)
}

test('the list is filtered by kind, state, person, day and name, in the address', async ({ page, backend, open }) => {
  const one = anImport()
  backend.answer(listOperations, ({ query: { to } }) => {
    const objects = to ? [] : [one]
    return { objects, total: objects.length, size: 20 }
  })
  answerList(backend, listUsers, [ME], getUser)
  await open('/imports?kind=source_import&state=done&created_by=7&from=2026-01-01&search=large')
  await expect(rowOf(page, 'large.csv')).toBeVisible()
  const asked = { kind: 'source_import', state: 'done', created_by: '7', from: '2026-01-01', search: 'large' }
  expect(backend.calls(listOperations).map(({ query }) => query)).toContainEqual(expect.objectContaining(asked))
  await open('/imports?to=2026-01-01')
  await expect(page.getByText('No imports match.')).toBeVisible()
  await button(page, 'Show all imports').click()
  await expect(page).toHaveURL('/imports')
  await button(page, 'Add filter').click()
  await button(page, 'Kind').click()
  await page.getByRole('option', { name: 'Source imports' }).click()
  await button(page, 'Add filter').click()
  await button(page, 'Person').click()
  await page.getByRole('option', { name: /Olena Kovalenko/ }).click()
  await expect(page).toHaveURL('/imports?kind=source_import&created_by=7')
  await expect(rowOf(page, 'large.csv')).toBeVisible()
  await button(page, 'Remove Kind: Source imports').click()
  await expect(page).toHaveURL('/imports?created_by=7')
  await page.goBack()
  await expect(button(page, 'Kind: Source imports')).toBeVisible()
  await button(page, 'Clear').click()
  await expect(page).toHaveURL('/imports')
})

test('platform imports, exports, stories imports and failed imports have their own words', async ({
  page,
  backend,
  open,
}) => {
  const bare = { name: null, bytes: null, platform: 'VK' } as const
  answerImports(
    backend,
    anImport({ ...bare, kind: 'platform_import', state: 'failed', error: 'No sheet is set for VK.' }),
    anImport({ ...bare, id: 8, kind: 'export', origin_kind: 'export', counts: { exported: 0 } }),
    anImport({
      id: 9,
      kind: 'stories_import',
      origin_kind: 'stories_import',
      counts: { imported: 3 },
      verification: verified(3),
    }),
  )
  await open('/imports')
  const first = page.getByRole('row').nth(1)
  await expect(first).toContainText('Failed')
  await expect(first).toContainText('No sheet is set')
  await first.getByRole('link').click()
  await expect(result(page)).toContainText('Failed. Nothing was changed.')
  await expect(result(page)).toContainText('No sheet is set')
  await expect(button(page, 'Undo import')).toHaveCount(0)

  await open('/imports/8')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('VK export')
  await expect(result(page)).toContainText('0 sources exported')

  await open('/imports/9')
  await expect(result(page)).toContainText('3 of 3 rows imported')
  await expect(result(page)).toContainText('Verified: 3 of 3 stored')
  for (const [path, kind] of PAGES) {
    await open(`/${path}`)
    await page.getByRole('link', { name: 'Earlier imports' }).click()
    await expect(page).toHaveURL(`/imports?kind=${kind}`)
  }
})

test('a missing import shows an error with a way to the list', async ({ page, backend, open }) => {
  backend.refuse(getOperation, 404, 'Import not found.')
  backend.refuse(getSource, 404, 'Source not found.')
  for (const id of ['2147483647', 'abc']) {
    await open(`/imports/${id}`)
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Import not found.')
    await page.getByRole('link', { name: 'Go to Imports' }).click()
    await expect(page).toHaveURL('/imports')
  }
  await open('/sources/abc')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Source not found.')
  await page.getByRole('link', { name: 'Back to sources' }).click()
  await expect(page).toHaveURL('/sources')
})

test('a list that is opened offline says so, and loads by itself once online', async ({
  page,
  backend,
  context,
  open,
}) => {
  answerImports(backend, anImport())
  // Loads the code of both pages.
  await open('/imports')
  await expect(rowOf(page, 'large.csv')).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Source import' }).click()
  await expect(page.getByRole('link', { name: 'Earlier imports' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Earlier imports' }).click()
  await expect(page).toHaveURL('/imports?kind=source_import')
  const failure = page.getByRole('main').getByRole('alert')
  await expect(failure).toContainText('You are offline.')
  await expect(failure.getByRole('button', { name: 'Try again' })).toBeVisible()
  await context.setOffline(false)
  await expect(rowOf(page, 'large.csv')).toBeVisible()
  // Nor are the rows of another filter shown instead.
  await context.setOffline(true)
  await page.getByRole('searchbox').fill('large')
  await expect(failure).toContainText('You are offline.')
  await context.setOffline(false)
  await expect(page.getByText('1 found')).toBeVisible()
})
