import { SHEET_ROWS_AT_ONCE } from '@watchdesk/contract/limits'
import type { Sheet, SheetRows, SheetRowsQuery } from '@watchdesk/contract/sheets'
import { sql } from 'kysely'
import { fittingRows } from '../../adapters/sheets/local.ts'
import { type InSnapshot, rowsOf } from '../../db/read.ts'
import { found } from '../../problem.ts'
import { selectSheet } from './store.ts'

const PAGE_BYTES = 2_000_000
/** The size of the longest row that can be stored. */
const ROW_BYTES = 4_000_000

/**
 * Returns rows, total and version of a single snapshot. Returns fewer rows than requested, but at least one, if they are
 * long.
 */
export function listRows(inSnapshot: InSnapshot, id: number, query: SheetRowsQuery): Promise<SheetRows> {
  const { offset = 0, limit = SHEET_ROWS_AT_ONCE, outcome } = query
  return inSnapshot(async (snapshot) => {
    const { rows_id, ...sheet } = found(await selectSheet(snapshot, id), 'Sheet')
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
