import type { Undo, UndoPreview } from '@watchdesk/contract/imports'
import type { Sheet } from '@watchdesk/contract/sheets'
import { type Selectable, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { editedBy } from '../../db/entity.ts'
import { isoTime } from '../../db/iso-time.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import { conflict } from '../../problem.ts'

/** A replacement of a sheet, or the undo of one: both have the details of a `SheetChange`. */
type SheetImport = Pick<Selectable<Tables['imports']>, 'details' | 'rows_id'>

type SheetPreview = Pick<UndoPreview, 'changed_count' | 'changed' | 'gone_count' | 'problem'> & {
  sheet_rows_put_back: number
}

const GONE = 'The sheet no longer exists.'
const IN_BIN = 'The sheet is in the bin. Restore it first.'

export async function previewSheetUndo(db: Db, undone: SheetImport): Promise<SheetPreview> {
  const { sheet_id, before } = changeOf(undone)
  const sheet = await db
    .selectFrom('sheets')
    .leftJoin('users', 'users.id', 'sheets.updated_by')
    .select([
      'sheets.id',
      'sheets.title',
      'sheets.rows_id',
      'sheets.deleted_at',
      isoTime(sql`sheets.updated_at`).as('at'),
      'users.id as user_id',
      'users.full_name',
    ])
    .where('sheets.id', '=', sheet_id)
    .executeTakeFirst()
  const problem = !sheet ? GONE : sheet.deleted_at ? IN_BIN : null
  const nothing = { sheet_rows_put_back: 0, changed_count: 0, changed: [], gone_count: sheet ? 0 : 1, problem }
  if (!sheet || problem) return nothing
  if (!hasOtherRows(sheet, undone)) return { ...nothing, sheet_rows_put_back: before.row_count }
  const { id, title: name, at, user_id, full_name } = sheet
  const by = user_id !== null && full_name !== null ? { id: user_id, name: full_name } : null
  return { ...nothing, changed_count: 1, changed: [{ id, name, at, by, ...REPLACED_AGAIN }] }
}

const REPLACED_AGAIN = {
  what: 'edited',
  current: null,
  earlier: null,
  changes: {},
  problem: null,
  effect: 'sheet_rows_put_back',
} as const

type SheetUndone = {
  /** 0 if the rows changed since and this was not chosen. Then nothing was done. */
  sheet_rows_put_back: number
  isDone: boolean
  /** For the audit event. */
  sheet: { id: number; title: string; version: number }
}

/**
 * Puts back the rows that a sheet showed before the import, if it still shows those of the import, or if that is chosen.
 * The import `undo_id` gets what it needs to be undone itself.
 */
export async function undoSheet(
  trx: Trx,
  actor: Actor,
  undone: SheetImport & { sheet_url: string | null },
  undo_id: number,
  changed: Undo['changed'] = 'leave',
): Promise<SheetUndone> {
  const { sheet_id, before } = changeOf(undone)
  const sheet = await trx.selectFrom('sheets').selectAll().where('id', '=', sheet_id).forUpdate().executeTakeFirst()
  if (!sheet) throw conflict(GONE)
  if (sheet.deleted_at) throw conflict(IN_BIN)
  const { title, version } = sheet
  const isChosen = changed === 'all' || (changed !== 'leave' && changed.includes(sheet_id))
  const isDone = isChosen || !hasOtherRows(sheet, undone)
  if (!isDone) return { sheet_rows_put_back: 0, isDone, sheet: { id: sheet_id, title, version } }
  const change = await showRows(trx, actor, sheet, before)
  await trx
    .updateTable('imports')
    .set({ rows_id: before.rows_id, sheet_url: undone.sheet_url, details: JSON.stringify(change) })
    .where('id', '=', undo_id)
    .execute()
  return { sheet_rows_put_back: before.row_count, isDone, sheet: { id: sheet_id, title, version: change.version } }
}

function changeOf({ details }: SheetImport) {
  return details as SheetChange
}

/** Sets never change, so this is exact. A sheet that was only renamed has a new version, but the same rows. */
function hasOtherRows({ id, rows_id }: { id: number; rows_id: number | null }, undone: SheetImport) {
  return (rows_id ?? id) !== undone.rows_id
}

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
