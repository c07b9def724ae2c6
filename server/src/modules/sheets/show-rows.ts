import type { Sheet } from '@watchdesk/contract/sheets'
import type { Selectable } from 'kysely'
import type { Actor } from '../../actor.ts'
import { editedBy } from '../../db/entity.ts'
import type { Trx } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'

/** A set of rows, as a sheet shows it. */
export type ShownRows = Pick<Sheet, 'header' | 'row_count' | 'outcomes'> & { rows_id: number; bytes: number | null }

/** Makes a locked sheet show another set of rows, and keeps what it showed for the undo. Returns its version. */
export async function showRows(
  trx: Trx,
  actor: Actor,
  import_id: number,
  current: Selectable<Tables['sheets']>,
  { outcomes, ...shown }: ShownRows,
): Promise<number> {
  const { rows_id, header, row_count, bytes } = current
  const before: ShownRows = { rows_id, header, row_count, outcomes: current.outcomes, bytes }
  await trx
    .updateTable('sheets')
    .set({ ...shown, outcomes: outcomes && JSON.stringify(outcomes), ...editedBy(actor) })
    .where('id', '=', current.id)
    .execute()
  await trx
    .insertInto('operation_changes')
    .values({
      operation_id: import_id,
      entity: 'sheet',
      record_id: current.id,
      before: JSON.stringify(before),
      after: JSON.stringify({ rows_id: shown.rows_id }),
    })
    .execute()
  return current.version + 1
}
