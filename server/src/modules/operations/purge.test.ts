import type { Operation } from '@watchdesk/contract/operations/operations'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { expect, test } from 'vitest'
import { ADMIN, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { purgeRowSets } from '../sheets/purge.ts'
import { purgeOperations, purgeStories } from './purge.ts'

const watchdesk = useWatchdesk()

async function importSource(name: string) {
  const body = { email: ADMIN.email, sheet_url: null, sheet_records: [{ source_url: `https://t.me/${name}` }] }
  const result = await watchdesk.admin<SourceImportResult>('POST', '/api/v1/source_import/sources', body)
  return result.body.import_id as number
}

test('an import older than its rows are kept stays in the list, without its rows, and cannot be undone', async () => {
  const [old, recent] = [await importSource('old'), await importSource('recent')]
  const { pool, db } = watchdesk.database
  await pool.query(`update imports set finished_at = now() - interval '91 days' where id = $1`, [old])
  await purgeOperations(db, 0)
  expect((await watchdesk.admin<Operation>('GET', `/api/v1/imports/${old}`)).body).toMatchObject({ rows_count: 1 })
  await purgeOperations(db, 90)
  await purgeRowSets(db)
  const read = async (id: number) => (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${id}`)).body
  expect(await read(old)).toMatchObject({ rows_count: null, can_undo: false, counts: { requested: 1 } })
  expect(await read(recent)).toMatchObject({ rows_count: 1, can_undo: true })
  const undo = await watchdesk.admin('POST', `/api/v1/imports/${old}/undo`, { changed: 'leave' })
  expect(undo.status).toBe(409)
})

test('a story deleted 30 days ago is removed, one deleted a minute later is kept', async () => {
  const { pool, db } = watchdesk.database
  await pool.query('insert into narratives (id) values (1)')
  await pool.query(`insert into stories (narrative_id, message_composite_id, story, digest, deleted_at) values
    (1, 'm', 'Old', gen_random_uuid(), now() - interval '30 days 1 second'),
    (1, 'm', 'Recent', gen_random_uuid(), now() - interval '29 days 23 hours 59 minutes'), (1, 'm', 'Live', gen_random_uuid(), null)`)
  await purgeStories(db)
  const { rows } = await pool.query<{ story: string }>('select story from stories order by story')
  expect(rows.map(({ story }) => story)).toEqual(['Live', 'Recent'])
})
