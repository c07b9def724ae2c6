import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { FORM_TYPE, multipart } from '../../../test/helpers/form.ts'
import { storeSheet } from '../../../test/helpers/sheet.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { purge } from '../../purge.ts'
import { purgeRowSets, purgeSheets } from './purge.ts'

const watchdesk = useWatchdesk()
const FILE = [
  multipart([{ name: 'file', filename: 'a.csv', content: 'a\n1\n' }]),
  { 'content-type': FORM_TYPE },
] as const

beforeEach(async () => {
  const { db } = watchdesk.database
  for (const table of ['sheets', 'operations', 'operation_changes', 'set_rows', 'row_sets'])
    await sql`delete from ${sql.table(table)}`.execute(db)
})

const run = (SHEETS_KEEP_DAYS = 90) =>
  purgeSheets(watchdesk.database.db, { SHEETS_KEEP_DAYS, PUBLIC_URL: 'https://desk.example.com' })
const replace = (id: number) => watchdesk.admin('PUT', `/api/v1/sheets/${id}/file`, ...FILE)
const remove = (id: number) => watchdesk.admin('DELETE', `/api/v1/sheets/${id}`)

async function sheetOf(age: string, title = 'Old') {
  const id = await storeSheet(watchdesk, { title, rows: [['1', '2']] })
  await query('update sheets set updated_at = now() - $1::interval where id = $2', [age, id])
  return id
}

async function query(text: string, values: unknown[] = []) {
  return (await watchdesk.database.pool.query(text, values)).rows
}

async function live() {
  return (await query('select id from sheets where deleted_at is null order by id')).map(({ id }) => id)
}

test('sheets that did not change for the days of the setting move to the bin, as one event of the system', async () => {
  const [old, other, recent] = [await sheetOf('91 days'), await sheetOf('90 days'), await sheetOf('89 days 23 hours')]
  await run()
  await run()
  expect(await live()).toEqual([recent])
  const [event, ...more] = await query(
    `select * from audit_events where action = 'delete' and entity = 'sheet' and entity_id is null order by id`,
  )
  expect(more).toEqual([])
  const changes = { sheets: { before: 2, after: 0 }, days: { before: null, after: 90 } }
  expect(event).toMatchObject({ actor_id: null, actor_name: 'Watchdesk', changes })
  expect(await query('select * from audit_events where parent_id = $1 order by id', [event.id])).toMatchObject([
    { action: 'delete', entity: 'sheet', entity_id: old, record_name: 'Old', version: 2 },
    { action: 'delete', entity: 'sheet', entity_id: other, version: 2 },
  ])
  const bin = await watchdesk.admin('GET', '/api/v1/bin/?kind=sheet')
  expect(bin.body).toMatchObject({ total: 2, objects: [{ deleted_by: null, days_left: 30 }, {}] })
  expect((await watchdesk.admin('POST', `/api/v1/sheets/${old}/restore`)).status).toBe(200)
  await run()
  expect(await live()).toEqual([old, recent])
})

test('who deleted a sheet earlier is not shown for a sheet that the system deleted', async () => {
  const id = await sheetOf('1 day')
  await remove(id)
  await watchdesk.admin('POST', `/api/v1/sheets/${id}/restore`)
  await query(`update sheets set updated_at = now() - interval '91 days'`)
  await run()
  const bin = await watchdesk.admin('GET', '/api/v1/bin/?kind=sheet')
  expect(bin.body).toMatchObject({ objects: [{ id, deleted_by: null }] })
})

test('a sheet that the website config names stays, however old, and 0 days keep all', async () => {
  const [path, url, free] = [await sheetOf('400 days'), await sheetOf('400 days'), await sheetOf('400 days')]
  const values = { sources_sheet_vk: `/sheets/${path}`, sources_sheet_ok: `https://desk.example.com/sheets/${url}` }
  await query('update website_config set values = values || $1::jsonb', [JSON.stringify(values)])
  await run(0)
  expect(await live()).toEqual([path, url, free])
  await run()
  expect(await live()).toEqual([path, url])
})

test('30 days later a sheet is removed for good, and then its rows', async () => {
  const { db } = watchdesk.database
  const id = await sheetOf('1 day', 'Last')
  await remove(id)
  await query(`update row_sets set created_at = now() - interval '2 days'`)
  await purgeRowSets(db)
  expect(await query('select from set_rows')).toHaveLength(1)
  await query(`update sheets set deleted_at = now() - interval '31 days'`)
  await purge(db, watchdesk.deps.env)
  expect(await query('select from sheets')).toEqual([])
  const [event] = await query(`select * from audit_events where action = 'purge' and entity = 'sheet'`)
  expect(event).toMatchObject({ entity_id: id, record_name: 'Last' })
  await purgeRowSets(db)
  expect([await query('select from set_rows'), await query('select from row_sets')]).toEqual([[], []])
})

test('rows that an import or its undo needs are kept, and so are those of the last day', async () => {
  const { db } = watchdesk.database
  const id = await storeSheet(watchdesk, { rows: [['former', '']] })
  await replace(id)
  const [{ rows_id, former }] = await query(`select rows_id, (before ->> 'rows_id')::int as former
    from operations join operation_changes on operation_id = operations.id`)
  await query('delete from sheets')
  await query(`update row_sets set created_at = now() - interval '2 days'`)
  await purgeRowSets(db)
  const sets = () => query('select distinct set_id from set_rows order by set_id')
  expect(await sets()).toEqual([{ set_id: former }, { set_id: rows_id }])
  await query('delete from operation_changes')
  await query('delete from operations')
  await query('update row_sets set created_at = now() where id = $1', [rows_id])
  await purgeRowSets(db)
  expect(await sets()).toEqual([{ set_id: rows_id }])
})

test('many rows are removed, also by several servers at once', async () => {
  const { db } = watchdesk.database
  await query(`insert into row_sets (id, header, row_count, created_at)
    select 2000000000 + n, '{a}', 25000, now() - interval '2 days' from generate_series(1, 3) n`)
  await query(`insert into set_rows (set_id, number, cells)
    select 2000000000 + s, n, '{x}' from generate_series(1, 3) s, generate_series(1, 25000) n`)
  await Promise.all([purgeRowSets(db), purgeRowSets(db), purgeRowSets(db)])
  expect([await query('select from set_rows'), await query('select from row_sets')]).toEqual([[], []])
})
