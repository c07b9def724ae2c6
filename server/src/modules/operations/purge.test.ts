import type { BulkChanged } from '@watchdesk/contract/operations/changes'
import type { Operation } from '@watchdesk/contract/operations/operations'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { expect, test } from 'vitest'
import { insertUser } from '../../../test/helpers/people.ts'
import { ADMIN, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { purgeRowSets } from '../sheets/purge.ts'
import { purgeOperations } from './purge.ts'
import { lockChain } from './undoable.ts'

const watchdesk = useWatchdesk()

async function importSource(name: string) {
  const body = { email: ADMIN.email, sheet_url: null, sheet_records: [{ source_url: `https://t.me/${name}` }] }
  const result = await watchdesk.admin<SourceImportResult>('POST', '/api/v1/source_import/sources', body)
  return result.body.import_id as number
}

async function changeUsers() {
  const { id } = await insertUser(watchdesk, { workspace_id: (await watchdesk.createWorkspace()).id })
  const body = { action: 'delete', ids: [id], expected_count: 1, expected_changed_count: 1 }
  return (await watchdesk.admin<BulkChanged>('POST', '/api/v1/users/change', body)).body.import_id as number
}

test.each([
  ['an import', importSource],
  ['a change of users', changeUsers],
])(
  'what is older than its rows are kept stays in the list, without its rows, and cannot be undone: %s',
  async (_, make) => {
    const [old, recent] = [await make('old'), await make('recent')]
    const { pool, db } = watchdesk.database
    await pool.query(`update operations set finished_at = now() - interval '91 days' where id = $1`, [old])
    await purgeOperations(db, 0)
    expect((await watchdesk.admin<Operation>('GET', `/api/v1/imports/${old}`)).body).toMatchObject({ rows_count: 1 })
    await purgeOperations(db, 90)
    await purgeRowSets(db)
    const read = async (id: number) => (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${id}`)).body
    expect(await read(old)).toMatchObject({ rows_count: null, can_undo: false })
    expect(await read(recent)).toMatchObject({ rows_count: 1, can_undo: true })
    const undo = await watchdesk.admin('POST', `/api/v1/imports/${old}/undo`, { changed: 'leave' })
    expect(undo.status).toBe(409)
  },
)

test('the rows of a change that could not be undone any more are kept as long as others', async () => {
  const id = await changeUsers()
  const { pool, db } = watchdesk.database
  await pool.query(`update operations set is_purged = true, finished_at = now() - interval '40 days' where id = $1`, [
    id,
  ])
  const rowsCount = async () => (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${id}`)).body.rows_count
  await purgeOperations(db, 90)
  expect(await rowsCount()).toBe(1)
  await purgeOperations(db, 30)
  expect(await rowsCount()).toBe(null)
})

test('an undo that a job is redoing is not purged meanwhile', async () => {
  const { pool, db } = watchdesk.database
  const { body } = await watchdesk.admin<Operation>('POST', `/api/v1/imports/${await changeUsers()}/undo`, {
    changed: 'leave',
  })
  await pool.query(`update operations set finished_at = now() - interval '91 days' where id = $1`, [body.id])
  const canUndo = async () => (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${body.id}`)).body.can_undo
  await db.transaction().execute(async (trx) => {
    await lockChain(trx, watchdesk.deps.kinds, body.id)
    await purgeOperations(db, 90)
  })
  expect(await canUndo()).toBe(true)
  await purgeOperations(db, 90)
  expect(await canUndo()).toBe(false)
})
