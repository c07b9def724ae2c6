import type { Operation, UndoPreview } from '@watchdesk/contract/operations/operations'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import pg from 'pg'
import { beforeEach, expect, test, vi } from 'vitest'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

beforeEach(async () => {
  await watchdesk.database.pool.query('truncate sources, operation_changes')
})

async function importSources(...rows: [name: string, country?: string][]) {
  const sheet_records = rows.map(([name, country]) => ({
    source_url: `https://t.me/${name}`,
    ...(country && { source_country: country }),
  }))
  const body = { email: 'admin@watchdesk.local', sheet_url: null, sheet_records }
  const result = await watchdesk.admin<SourceImportResult>('POST', '/api/v1/source_import/sources', body)
  expect(result.body.error_message).toBeNull()
  return result.body.import_id as number
}

/** The live sources with their country. */
async function live() {
  const { rows } = await watchdesk.database.pool.query<{ url: string; country: string | null }>(
    'select url, country from sources where deleted_at is null order by url',
  )
  return Object.fromEntries(rows.map(({ url, country }) => [url.replace('https://t.me/', ''), country]))
}

async function edit(name: string, changes: string) {
  await watchdesk.database.pool.query(
    `update sources set version = version + 1, content_version = version + 1, ${changes} where url = $1`,
    [`https://t.me/${name}`],
  )
}

const preview = async (id: number) => (await watchdesk.admin<UndoPreview>('GET', `/api/v1/imports/${id}/undo`)).body
const undo = (id: number, changed: 'leave' | 'all' | number[] = 'leave') =>
  watchdesk.admin<Operation>('POST', `/api/v1/imports/${id}/undo`, { changed })
const read = async (id: number) => (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${id}`)).body

const ONCE =
  'It was undone and redone before, which works only once. To change it again, edit the records or make a new change.'

test('undoing an import removes what it added, undoing the undo brings it back, and both work once', async () => {
  await importSources(['old', 'PL'])
  const id = await importSources(['a', 'UA'], ['b'], ['old'])
  expect((await preview(id)).effects).toMatchObject({ sources_removed: 2, sources_put_back: 0 })
  const undone = await undo(id)
  expect(undone).toMatchObject({
    status: 200,
    body: { kind: 'undo', undoes: { id }, counts: { 'sources removed': 2 } },
  })
  expect(await live()).toEqual({ old: 'PL' })
  expect(await read(id)).toMatchObject({ can_undo: false, undone: { import_id: undone.body.id } })
  expect((await undo(id)).status).toBe(409)

  const redone = await undo(undone.body.id)
  expect(redone.body).toMatchObject({ is_redo: true, origin_kind: 'source_import', undoes: { id: undone.body.id } })
  expect(await live()).toEqual({ a: 'UA', b: null, old: 'PL' })
  expect(await read(id)).toMatchObject({ can_undo: false, undone: null })
  expect(await read(undone.body.id)).toMatchObject({ can_undo: false, undone: { import_id: redone.body.id } })
  expect(await read(redone.body.id)).toMatchObject({ can_undo: false, undone: null })
  for (const each of [id, redone.body.id]) {
    expect((await preview(each)).problem).toBe(ONCE)
    expect(await undo(each, 'all')).toMatchObject({ status: 409, body: { detail: ONCE } })
  }
  expect((await undo(undone.body.id)).body).toEqual({ detail: 'It is already undone.' })
  expect(await live()).toEqual({ a: 'UA', b: null, old: 'PL' })
})

test('a source that was removed and imported again is as it was after the undo', async () => {
  const first = await importSources(['a', 'UA'])
  await edit('a', 'deleted_at = now()')
  const second = await importSources(['a', 'PL'], ['b'])
  expect(await live()).toEqual({ a: 'PL', b: null })
  expect((await read(second)).counts).toEqual({ requested: 2 })
  await undo(second)
  expect(await live()).toEqual({})
  expect((await preview(first)).changed).toMatchObject([{ what: 'removed', earlier: null }])
  const { rows } = await watchdesk.database.pool.query(
    'select import_id, country from sources where deleted_at is not null order by id',
  )
  expect(rows).toEqual([
    { import_id: first, country: 'UA' },
    { import_id: second, country: null },
  ])
})

test('what changed since is listed and left alone, unless it is chosen', async () => {
  const id = await importSources(['a', 'UA'], ['b', 'UA'], ['c', 'UA'])
  await edit('b', `country = 'DE'`)
  await edit('c', `country = 'FR'`)
  const { effects, changed, changed_count } = await preview(id)
  expect(effects.sources_removed).toBe(1)
  expect(changed_count).toBe(2)
  expect(changed).toMatchObject([
    { name: 'https://t.me/b', what: 'edited', current: 'DE' },
    { name: 'https://t.me/c', what: 'edited', current: 'FR' },
  ])
  const left = await undo(id, [changed[0]?.id ?? 0])
  expect(left.body.counts).toEqual({ 'sources removed': 2, 'left alone': 1 })
  expect(await read(id)).toMatchObject({ undone: { import_id: left.body.id, left_count: 1 } })
  expect(await live()).toEqual({ c: 'FR' })
  await undo(left.body.id)
  expect(await live()).toEqual({ a: 'UA', b: 'DE', c: 'FR' })
})

test('a source that lost its country since is listed as edited', async () => {
  const id = await importSources(['a', 'UA'])
  await edit('a', 'country = null')
  expect((await preview(id)).changed).toMatchObject([{ what: 'edited', current: null, effect: 'sources_removed' }])
})

test('a source that was revived and is removed again by the undo is in the bin from then on', async () => {
  await importSources(['a', 'UA'])
  await edit('a', `deleted_at = now() - interval '29 days'`)
  await undo(await importSources(['a', 'PL']))
  const { rows } = await watchdesk.database.pool.query(
    `select country, deleted_at > now() - interval '1 hour' as is_recent from sources`,
  )
  expect(rows).toEqual([{ country: 'UA', is_recent: true }])
})

test('an undo that would leave everything alone is refused, so that rows can still be chosen', async () => {
  const id = await importSources(['a', 'UA'])
  await edit('a', `country = 'DE'`)
  expect(await undo(id)).toMatchObject({ status: 409 })
  expect(await read(id)).toMatchObject({ can_undo: true, undone: null })
  expect((await undo(id, 'all')).body.counts).toEqual({ 'sources removed': 1 })
})

test('sources are looked up one by one, because nothing is known yet about how many a new import has', async () => {
  const id = await importSources(['a'], ['b'])
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await undo(id)
  const texts = query.mock.calls.map(([sent]) => String(Object(sent).text ?? sent))
  query.mockRestore()
  const counting = texts.find((text) => text.startsWith('select count(*) as all')) ?? ''
  const { rows } = await watchdesk.database.pool.query(`explain ${counting.replaceAll(/\$\d+/g, String(id))}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('SubPlan')
  expect(plan).not.toMatch(/Anti|Nested Loop/)
})
