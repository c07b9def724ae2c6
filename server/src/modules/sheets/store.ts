import { SHEET_ROWS_AT_ONCE } from '@watchdesk/contract/limits'
import type { Sheet, SheetRows, SheetRowsQuery } from '@watchdesk/contract/sheets'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { fittingRows, rowsId } from '../../adapters/sheets/local.ts'
import { auditOnce } from '../../db/audit.ts'
import type { Db } from '../../db/open.ts'
import { type InSnapshot, rowsOf } from '../../db/read.ts'
import type { Rights } from '../../db/rights.ts'
import { found } from '../../problem.ts'

const PAGE_BYTES = 2_000_000
/** The size of the longest row that can be stored. */
const ROW_BYTES = 4_000_000

export function sheetsStore(db: Db, rights: Rights, inSnapshot: InSnapshot) {
  return { get, rows, noteDownload }

  /** Called before the first byte is sent, so that every download is in the audit log. */
  function noteDownload(actor: Actor, { id, title }: Sheet, format: string) {
    const changes = { format: { before: null, after: format } }
    const event = { action: 'download', entity: 'sheet', entity_id: id, record: { name: title }, changes } as const
    return rights.write(actor, (trx) => auditOnce(trx, actor, `download ${format} of sheet ${id}`, event))
  }

  function get(id: number): Promise<Sheet | undefined> {
    return selectSheet(db, id)
  }

  /**
   * Returns rows, total and version of a single snapshot. Returns fewer rows than requested, but at least one, if they
   * are long.
   */
  function rows(id: number, query: SheetRowsQuery): Promise<SheetRows> {
    const { offset = 0, limit = SHEET_ROWS_AT_ONCE, outcome } = query
    return inSnapshot(async (snapshot) => {
      const sheet = found(await selectSheet(snapshot, id), 'Sheet')
      const { rows_id } = await selectRowsId(snapshot, id)
      const total = rowsWith(sheet, outcome)
      const rows: SheetRows['rows'] = []
      const end = Math.min(total, offset + limit)
      let bytes = PAGE_BYTES
      for (let from = offset; from < end && bytes > 0; from = offset + rows.length) {
        const count = end - from
        const place = outcome === undefined ? numberIn(from, count) : placeAmong(rows_id, outcome, from, count, total)
        const wanted = sql`select number, cells from set_rows where set_id = ${rows_id} and ${place}`
        const part = await rowsOf(
          snapshot,
          sql<SheetRows['rows'][number]>`select * from (
              ${fittingRows(wanted, { bytes, rowBytes: ROW_BYTES })}) as part order by number`,
        )
        if (part.length === 0) break
        rows.push(...part)
        for (const { cells } of part) for (const cell of cells) bytes -= Buffer.byteLength(cell) + 3
      }
      return { rows, total, version: sheet.version }
    })
  }
}

/** The number of rows with the outcome, or of all rows. */
export function rowsWith({ row_count, outcomes }: Pick<Sheet, 'row_count' | 'outcomes'>, outcome: string | undefined) {
  if (outcome === undefined) return row_count
  return outcomes && Object.hasOwn(outcomes, outcome) ? (outcomes[outcome] ?? 0) : 0
}

/** Row numbers have no gaps, so a position in the sheet is a row number. */
function numberIn(offset: number, limit: number) {
  return sql<boolean>`number > ${offset} and number <= ${offset + limit}`
}

/** Scans an index from the nearer end of the sheet. */
function placeAmong(id: number, outcome: string, offset: number, limit: number, total: number) {
  const length = Math.min(limit, total - offset)
  const isNearEnd = offset > total / 2
  const direction = isNearEnd ? sql`desc` : sql`asc`
  const skip = isNearEnd ? total - offset - length : offset
  return sql<boolean>`number in (select number from set_rows where set_id = ${id} and outcome = ${outcome}
    order by number ${direction} offset ${skip} limit ${length})`
}

export function selectSheet(db: Db, id: number): Promise<Sheet | undefined> {
  return db
    .selectFrom('sheets')
    .leftJoin('users', 'users.id', 'sheets.created_by')
    .select([
      'sheets.id',
      'sheets.title',
      'sheets.origin',
      'sheets.header',
      'sheets.row_count',
      'sheets.outcomes',
      sql<string>`to_char(sheets.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as('created_at'),
      sql<Sheet['created_by']>`case when users.id is not null
        then json_build_object('id', users.id, 'name', users.full_name) end`.as('created_by'),
      'sheets.version',
    ])
    .where('sheets.id', '=', id)
    .where('sheets.deleted_at', 'is', null)
    .executeTakeFirst()
}

export function selectRowsId(db: Db, id: number) {
  return db.selectFrom('sheets').select(rowsId).where('id', '=', id).executeTakeFirstOrThrow()
}
