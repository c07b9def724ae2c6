import type { Operation, Undo, UndoPreview } from '@watchdesk/contract/operations/operations'
import type { Sheet, SheetRows } from '@watchdesk/contract/sheets'
import { expect, test } from 'vitest'
import { FORM_TYPE, multipart } from '../../../test/helpers/form.ts'
import { FIRST_ADMIN } from '../../../test/helpers/people.ts'
import { storeSheet } from '../../../test/helpers/sheet.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

async function replace(id: number, content: string) {
  const form = multipart([{ name: 'file', filename: 'new.csv', content }])
  return (await watchdesk.admin('PUT', `/api/v1/sheets/${id}/file`, form, { 'content-type': FORM_TYPE })).status
}

async function lastImport() {
  const { db } = watchdesk.database
  return db.selectFrom('operations').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
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

/** Undoes an import, by default the last one. */
async function undo(id?: number, changed: Undo['changed'] = 'leave') {
  const path = `/api/v1/imports/${id ?? (await lastImport()).id}/undo`
  const { status, body } = await watchdesk.admin<Operation & { detail: string }>('POST', path, { changed })
  return { status, ...body }
}

const preview = async (id: number) => (await watchdesk.admin<UndoPreview>('GET', `/api/v1/imports/${id}/undo`)).body

test('a replacement is an import with the former rows, and its event names it', async () => {
  const id = await storeSheet(watchdesk, { header: ['n', 'outcome'], rows: [['1', 'good']], hasOutcomes: true })
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
    details: {},
    created_by: FIRST_ADMIN.id,
    created_by_name: 'Super Admin',
    started_at: expect.any(Date),
    finished_at: expect.any(Date),
  })
  expect(made.rows_id).not.toBe(rows_id)
  const { db } = watchdesk.database
  expect(await db.selectFrom('operation_changes').selectAll().execute()).toEqual([
    {
      operation_id: made.id,
      entity: 'sheet',
      record_id: id,
      before: { rows_id, header: ['n', 'outcome'], row_count: 1, outcomes: { good: 1 }, bytes: 5 },
      after: { rows_id: made.rows_id },
    },
  ])
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

test('an undo puts back the former rows, and a redo those of the file', async () => {
  const id = await storeSheet(watchdesk, { header: ['n', 'outcome'], rows: [['1', 'good']], hasOutcomes: true })
  const former = await sheetOf(id)
  const { rows_id: formerSet } = await setOf(id)
  await replace(id, 'n,outcome,x\n1,bad,\n2,bad,\n')
  const replaced = await sheetOf(id)
  const replacement = await lastImport()
  const { effects, ...others } = await preview(replacement.id)
  expect(effects.sheet_rows_put_back).toBe(1)
  expect(others).toEqual({ changed_count: 0, changed: [], gone_count: 0, problem: null })
  expect(await undo()).toMatchObject({ status: 200, counts: { 'sheet rows put back': 1 } })
  expect(await sheetOf(id)).toEqual({ ...former, version: 3 })
  expect(await lastImport()).toMatchObject({ sheet_url: `/sheets/${id}`, rows_id: formerSet })
  const { body } = await watchdesk.admin('GET', `/api/v1/audit/?entity=sheet&entity_id=${id}`)
  expect(body.objects?.[0]).toMatchObject({ action: 'undo', version: 3, record: { name: 'A sheet' } })
  expect(await undo()).toMatchObject({ is_redo: true, counts: { 'sheet rows put back': 2 } })
  expect(await sheetOf(id)).toEqual({ ...replaced, version: 4 })
  expect(await lastImport()).toMatchObject({ sheet_url: `/sheets/${id}`, rows_id: replacement.rows_id })
})

test('a sheet without rows gets them back as well', async () => {
  const id = await storeSheet(watchdesk, { rows: [] })
  const former = await sheetOf(id)
  await replace(id, 'a,b\nfirst,\n')
  expect(await undo()).toMatchObject({ status: 200, counts: {} })
  expect(await sheetOf(id)).toEqual({ ...former, version: 3 })
})

test('rows that were replaced since stay, unless that is chosen', async () => {
  const id = await storeSheet(watchdesk, { rows: [['first', '']] })
  await replace(id, 'a,b\nsecond,\n')
  const replacement = await lastImport()
  await replace(id, 'a,b\nthird,\n')
  expect(await preview(replacement.id)).toMatchObject({
    effects: { sheet_rows_put_back: 0 },
    changed_count: 1,
    changed: [
      {
        id,
        name: 'A sheet',
        what: 'edited',
        effect: 'sheet_rows_put_back',
        by: { id: FIRST_ADMIN.id, name: 'Super Admin' },
      },
    ],
  })
  const detail = 'The rows of the sheet were replaced again since, so nothing was undone.'
  for (const changed of ['leave', [id + 1]] satisfies Undo['changed'][]) {
    expect(await undo(replacement.id, changed)).toMatchObject({ status: 409, detail })
  }
  expect(await sheetOf(id)).toMatchObject({ cells: [['third', '']], version: 3 })
  expect(await undo(replacement.id, [id])).toMatchObject({ status: 200, counts: { 'sheet rows put back': 1 } })
  expect((await sheetOf(id)).cells).toEqual([['first', '']])
  await undo()
  expect((await sheetOf(id)).cells).toEqual([['third', '']])
})

test('replacements can be undone one after the other, and a new title stays', async () => {
  const id = await storeSheet(watchdesk, { rows: [['first', '']] })
  await replace(id, 'a,b\nsecond,\n')
  const one = await lastImport()
  await replace(id, 'a,b\nthird,\n')
  const two = await lastImport()
  await watchdesk.admin('PATCH', `/api/v1/sheets/${id}`, { title: 'Renamed' })
  expect((await undo(two.id)).status).toBe(200)
  expect((await undo(one.id)).status).toBe(200)
  expect((await sheetOf(id)).cells).toEqual([['first', '']])
  expect((await watchdesk.admin<Sheet>('GET', `/api/v1/sheets/${id}`)).body.title).toBe('Renamed')
})

test('a sheet in the bin has to be restored first, and one that was removed cannot be undone', async () => {
  const id = await storeSheet(watchdesk)
  await replace(id, 'a\n1\n')
  const { id: replacement } = await lastImport()
  await watchdesk.admin('DELETE', `/api/v1/sheets/${id}`)
  const inBin = 'The sheet is in the bin. Restore it first.'
  const nothing = { effects: { sheet_rows_put_back: 0 }, changed_count: 0, changed: [] }
  expect(await preview(replacement)).toMatchObject({ ...nothing, problem: inBin, gone_count: 0 })
  expect(await undo(replacement)).toMatchObject({ status: 409, detail: inBin })
  await watchdesk.database.pool.query('delete from sheets where id = $1', [id])
  const gone = 'The sheet no longer exists.'
  expect(await preview(replacement)).toMatchObject({ ...nothing, problem: gone, gone_count: 1 })
  expect(await undo(replacement)).toMatchObject({ status: 409, detail: gone })
})
