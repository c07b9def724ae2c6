import type { Sheet } from '@watchdesk/contract/sheets'
import type { Selectable } from 'kysely'
import type { Actor } from '../../actor.ts'
import { editedBy } from '../../db/entity.ts'
import type { Trx } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'

/** A set of rows, as a sheet shows it. */
export type ShownRows = Pick<Sheet, 'header' | 'row_count' | 'outcomes'> & { rows_id: number; bytes: number | null }

/** What an import that changed the rows of a sheet keeps for its undo: what it showed before, and its version after. */
export type SheetChange = { sheet_id: number; before: ShownRows; version: number }

/** Makes a locked sheet show another set of rows. */
export async function showRows(
  trx: Trx,
  actor: Actor,
  current: Selectable<Tables['sheets']>,
  { outcomes, ...shown }: ShownRows,
): Promise<SheetChange> {
  const before = shownBy(current)
  if (current.rows_id === null) await keepSet(trx, before)
  await trx
    .updateTable('sheets')
    .set({ ...shown, outcomes: outcomes && JSON.stringify(outcomes), ...editedBy(actor) })
    .where('id', '=', current.id)
    .execute()
  return { sheet_id: current.id, before, version: current.version + 1 }
}

function shownBy({ id, rows_id, header, row_count, outcomes, bytes }: Selectable<Tables['sheets']>): ShownRows {
  return { rows_id: rows_id ?? id, header, row_count, outcomes, bytes }
}

/** A server of the previous release creates sheets without a set, but an import needs one to refer to. */
async function keepSet(trx: Trx, { rows_id: id, header, row_count, outcomes }: ShownRows) {
  await trx
    .insertInto('row_sets')
    .values({ id, header, row_count, outcomes: outcomes && JSON.stringify(outcomes) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
