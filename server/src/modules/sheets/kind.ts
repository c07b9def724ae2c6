import { sql } from 'kysely'
import type { OperationKind } from '../operations/kind.ts'
import { recordsUndo } from '../operations/undo-records.ts'
import { type ShownRows, showRows } from './store.ts'

export const sheetReplacement: OperationKind = {
  undo: recordsUndo({
    entity: 'sheet',
    table: 'sheets',
    // Sets never change, so this is exact. A sheet that was only renamed has a new version, but the same rows.
    isUnchanged: sql`coalesce(sheets.rows_id, sheets.id) = (changes.after ->> 'rows_id')::int`,
    effect: sql`'sheet_rows_put_back'`,
    size: sql`(changes.before ->> 'row_count')::int`,
    lock: sql`for update`,
    listed: sql`sheets.title as name, 'edited' as what, null as current, null as earlier`,
    allChanged: 'The rows of the sheet were replaced again since, so nothing was undone.',
    async problem(db, { id }) {
      const sheet = await db
        .selectFrom('operation_changes')
        .innerJoin('sheets', 'sheets.id', 'record_id')
        .select('deleted_at')
        .where('operation_id', '=', id)
        .executeTakeFirst()
      if (!sheet) return 'The sheet no longer exists.'
      return sheet.deleted_at ? 'The sheet is in the bin. Restore it first.' : null
    },
    async write(trx, actor, { target }, import_id) {
      const { rows } = await sql<{ id: number; before: ShownRows }>`select id, before from undoing`.execute(trx)
      const [undoing] = rows
      if (!undoing) return {}
      const { before } = undoing
      const sheet = await trx.selectFrom('sheets').selectAll().where('id', '=', undoing.id).executeTakeFirstOrThrow()
      const version = await showRows(trx, actor, import_id, sheet, before)
      await trx
        .updateTable('operations')
        .set({ rows_id: before.rows_id, sheet_url: target.sheet_url })
        .where('id', '=', import_id)
        .execute()
      return { sheet_rows_put_back: before.row_count, sheet: { id: sheet.id, title: sheet.title, version } }
    },
  }),
}
