import type { SheetRows } from '@watchdesk/contract/sheets'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import { fittingRows, hasOutcome } from './local.ts'

const PAGE_BYTES = 2_000_000
/** The size of the longest row that can be stored. */
const ROW_BYTES = 4_000_000

type Row = SheetRows['rows'][number]
type Range = { offset: number; limit: number; outcomes: readonly string[] | undefined; total: number }

/** Rows of a set. Returns fewer than requested, but at least one, if they are long. */
export async function readRows(db: Db, set_id: number, range: Range): Promise<Row[]> {
  const { offset, limit, outcomes, total } = range
  const rows: Row[] = []
  const end = Math.min(total, offset + limit)
  let bytes = PAGE_BYTES
  for (let from = offset; from < end && bytes > 0; from = offset + rows.length) {
    const rest = { ...range, offset: from, limit: end - from }
    const place = outcomes ? placeAmong(set_id, outcomes, rest) : numberIn(rest)
    const wanted = sql`select number, cells from set_rows where set_id = ${set_id} and ${place}`
    const fitting = fittingRows(wanted, { bytes, rowBytes: ROW_BYTES })
    const part = await rowsOf(db, sql<Row>`select * from (${fitting}) as part order by number`)
    if (part.length === 0) break
    rows.push(...part)
    for (const { cells } of part) for (const cell of cells) bytes -= Buffer.byteLength(cell) + 3
  }
  return rows
}

type Counts = { row_count: number; outcomes: Record<string, number> | null }

/** The number of rows with one of the outcomes, or of all rows. */
export function countRows({ row_count, outcomes }: Counts, wanted: readonly string[] | undefined) {
  if (!wanted) return row_count
  const counts = new Map(Object.entries(outcomes ?? {}))
  return [...new Set(wanted)].reduce((sum, outcome) => sum + (counts.get(outcome) ?? 0), 0)
}

/** Row numbers have no gaps, so a position in the set is a row number. */
function numberIn({ offset, limit }: Range) {
  return sql<boolean>`number > ${offset} and number <= ${offset + limit}`
}

function placeAmong(set_id: number, outcomes: readonly string[], { offset, limit }: Range) {
  return sql<boolean>`number in (select number from set_rows where set_id = ${set_id} and ${hasOutcome(outcomes)}
    order by number offset ${offset} limit ${limit})`
}
