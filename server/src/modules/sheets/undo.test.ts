import type { Undo } from '@watchdesk/contract/imports'
import type { Sheet, SheetRows } from '@watchdesk/contract/sheets'
import { expect, test } from 'vitest'
import { FORM_TYPE, multipart } from '../../../test/helpers/form.ts'
import { FIRST_ADMIN } from '../../../test/helpers/people.ts'
import { storeSheet } from '../../../test/helpers/sheet.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import type { Actor } from '../../actor.ts'
import { previewSheetUndo, undoSheet } from './undo.ts'

const watchdesk = useWatchdesk()
const ACTOR = { id: FIRST_ADMIN.id, name: 'Super Admin' } as Actor

async function replace(id: number, content: string) {
  const form = multipart([{ name: 'file', filename: 'new.csv', content }])
  return (await watchdesk.admin('PUT', `/api/v1/sheets/${id}/file`, form, { 'content-type': FORM_TYPE })).status
}

async function lastImport() {
  const { db } = watchdesk.database
  return db.selectFrom('imports').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
}

function setOf(id: number) {
  const { db } = watchdesk.database
  return db.selectFrom('sheets').select('rows_id').where('id', '=', id).executeTakeFirstOrThrow()
}

async function sheetOf(id: number) {
  const { header, row_count, outcomes, version } = (await watchdesk.admin<Sheet>('GET', `/api/v1/sheets/${id}`)).body
  const { rows } = (await watchdesk.admin<SheetRows>('GET', `/api/v1/sheets/${id}/rows`)).body
  return { header, row_count, outcomes, version, cells: rows.map(({ cells }) => cells) }
}

/** What the general undo does around it. */
async function undo(undone: Awaited<ReturnType<typeof lastImport>>, changed?: Undo['changed']) {
  return watchdesk.database.db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('imports')
      .values({ kind: 'undo', state: 'done', counts: '{}' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return undoSheet(trx, ACTOR, undone, id, changed)
  })
}

const preview = async (undone: Awaited<ReturnType<typeof lastImport>>) =>
  previewSheetUndo(watchdesk.database.db, undone)

test('a replacement is an import with the former rows, and its event names it', async () => {
  const id = await storeSheet(watchdesk, { header: ['n', 'outcome'], rows: [['1', 'good']], outcomeColumn: 'outcome' })
  const { rows_id } = await setOf(id)
  await replace(id, 'n,outcome\n1,bad\n2,bad\n')
  const made = await lastImport()
  expect(made).toMatchObject({
    kind: 'sheet_replacement',
    state: 'done',
    name: 'new.csv',
    bytes: 22,
    sheet_url: `/sheets/${id}`,
    created_sheet_url: null,
    counts: { rows: 2 },
    error: null,
    details: {
      sheet_id: id,
      before: { rows_id, header: ['n', 'outcome'], row_count: 1, outcomes: { good: 1 }, bytes: 5 },
      version: 2,
    },
    created_by: FIRST_ADMIN.id,
    created_by_name: 'Super Admin',
    started_at: expect.any(Date),
    finished_at: expect.any(Date),
  })
  expect(made.rows_id).not.toBe(rows_id)
  const { body } = await watchdesk.admin('GET', `/api/v1/audit/?entity=sheet&entity_id=${id}`)
  expect(body.objects?.[0]).toMatchObject({ version: 2, changes: { import_id: { before: null, after: made.id } } })
})

test('a file that is rejected is a failed import with the reason, but a stale version or a missing sheet is not', async () => {
  const id = await storeSheet(watchdesk)
  expect(await replace(id, '')).toBe(422)
  const failed = await lastImport()
  expect(failed).toMatchObject({
    kind: 'sheet_replacement',
    state: 'failed',
    error: 'The file is empty.',
    rows_id: null,
  })
  expect(failed).toMatchObject({ name: 'new.csv', sheet_url: `/sheets/${id}`, created_by: FIRST_ADMIN.id })
  expect(await replace(2_147_483_647, 'a\n1\n')).toBe(404)
  expect((await lastImport()).id).toBe(failed.id)
})

test('an undo puts back the former rows, and so does the undo of an undo', async () => {
  const id = await storeSheet(watchdesk, { header: ['n', 'outcome'], rows: [['1', 'good']], outcomeColumn: 'outcome' })
  const former = await sheetOf(id)
  const { rows_id: formerSet } = await setOf(id)
  await replace(id, 'n,outcome,x\n1,bad,\n2,bad,\n')
  const replaced = await sheetOf(id)
  const replacement = await lastImport()
  expect(await preview(replacement)).toEqual({
    sheet_rows_put_back: 1,
    changed_count: 0,
    changed: [],
    gone_count: 0,
    problem: null,
  })
  expect(await undo(replacement)).toEqual({
    sheet_rows_put_back: 1,
    isDone: true,
    sheet: { id, title: 'A sheet', version: 3 },
  })
  expect(await sheetOf(id)).toEqual({ ...former, version: 3 })
  const undoing = await lastImport()
  expect(undoing).toMatchObject({ sheet_url: `/sheets/${id}`, rows_id: formerSet })
  expect(await undo(undoing)).toMatchObject({ sheet_rows_put_back: 2 })
  expect(await sheetOf(id)).toEqual({ ...replaced, version: 4 })
  expect(await undo(await lastImport())).toMatchObject({ sheet_rows_put_back: 1 })
  expect(await sheetOf(id)).toEqual({ ...former, version: 5 })
})

test('rows that were replaced since stay, unless that is chosen', async () => {
  const id = await storeSheet(watchdesk, { rows: [['first', '']] })
  await replace(id, 'a,b\nsecond,\n')
  const replacement = await lastImport()
  await replace(id, 'a,b\nthird,\n')
  expect(await preview(replacement)).toMatchObject({
    sheet_rows_put_back: 0,
    changed_count: 1,
    changed: [{ id, name: 'A sheet', what: 'edited', by: { id: FIRST_ADMIN.id, name: 'Super Admin' } }],
  })
  for (const changed of ['leave', [id + 1]] satisfies Undo['changed'][]) {
    expect(await undo(replacement, changed)).toMatchObject({ isDone: false, sheet_rows_put_back: 0 })
  }
  expect(await sheetOf(id)).toMatchObject({ cells: [['third', '']], version: 3 })
  expect(await undo(replacement, [id])).toMatchObject({ isDone: true })
  expect((await sheetOf(id)).cells).toEqual([['first', '']])
  expect(await undo(await lastImport())).toMatchObject({ isDone: true })
  expect((await sheetOf(id)).cells).toEqual([['third', '']])
})

test('replacements can be undone one after the other, and a new title stays', async () => {
  const id = await storeSheet(watchdesk, { rows: [['first', '']] })
  await replace(id, 'a,b\nsecond,\n')
  const one = await lastImport()
  await replace(id, 'a,b\nthird,\n')
  const two = await lastImport()
  await watchdesk.admin('PATCH', `/api/v1/sheets/${id}`, { title: 'Renamed' })
  expect(await undo(two)).toMatchObject({ isDone: true, sheet: { title: 'Renamed' } })
  expect(await undo(one)).toMatchObject({ isDone: true })
  expect((await sheetOf(id)).cells).toEqual([['first', '']])
})

test('a sheet in the bin has to be restored first, and one that was removed cannot be undone', async () => {
  const id = await storeSheet(watchdesk)
  await replace(id, 'a\n1\n')
  const replacement = await lastImport()
  await watchdesk.admin('DELETE', `/api/v1/sheets/${id}`)
  const inBin = 'The sheet is in the bin. Restore it first.'
  expect(await preview(replacement)).toMatchObject({ problem: inBin, gone_count: 0 })
  await expect(undo(replacement)).rejects.toThrow(inBin)
  await watchdesk.database.pool.query('delete from sheets where id = $1', [id])
  expect(await preview(replacement)).toMatchObject({ problem: 'The sheet no longer exists.', gone_count: 1 })
  await expect(undo(replacement)).rejects.toThrow('The sheet no longer exists.')
})
