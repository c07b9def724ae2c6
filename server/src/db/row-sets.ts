import { LENGTH } from '@watchdesk/contract/limits'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { asTable } from './lines.ts'
import type { Db, Trx } from './open.ts'
import { rowsOf } from './read.ts'
import { writable } from './writable.ts'

/**
 * The size of one read or write statement: large enough to be fast, small enough for memory and the statement timeout.
 */
const BATCH = { rows: 10_000, characters: 2_000_000 }
/** Earlier releases allowed rows of up to 4,000,000 characters. */
const DOWNLOADED_ROW_BYTES = 16_000_000
const PAGE_BYTES = 2_000_000
/** The size of the longest row that can be stored. */
const ROW_BYTES = 4_000_000

export type RowBatch = readonly (readonly string[])[]

/** How many rows have each outcome, added to the counts of earlier rows. */
export function countOutcomes(rows: RowBatch, column: number, earlier: Record<string, number> = {}) {
  const counts: Record<string, number> = Object.assign(Object.create(null), earlier)
  for (const row of rows) {
    const outcome = row[column] ?? ''
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

/** A new set of rows, still without its rows. */
export async function createRowSet(trx: Trx, content: NewRowSet) {
  const { id } = await trx.insertInto('row_sets').values(content).returning('id').executeTakeFirstOrThrow()
  return id
}

type NewRowSet = { header: string[]; row_count: number; outcomes: string | null }

/** Rows that are already in the database are copied within it. Returns the size of their cells. */
export async function copyRows(trx: Trx, set_id: number, query: RawBuilder<unknown>, column: number) {
  const { rows } = await sql<{ bytes: number }>`with copied as (
      insert into set_rows (set_id, number, cells, outcome)
      select ${set_id}::int, place, cells, ${outcomeIn(column + 1)} from (${query}) as wanted
      returning octet_length(array_to_string(cells, '')) as bytes
    )
    select coalesce(sum(bytes), 0)::bigint as bytes from copied`.execute(trx)
  return rows[0]?.bytes ?? 0
}

/** The size of the cells of rows that are not in the database yet. */
export function bytesOf(rows: RowBatch) {
  let bytes = 0
  for (const row of rows) for (const cell of row) bytes += Buffer.byteLength(cell)
  return bytes
}

/** Indexed, so the length is limited. */
function outcomeIn(place: number) {
  return place < 1 ? sql`null` : sql`left(cells[${place}::int], ${LENGTH.name})`
}

/** Appends rows after the first `start`. Each line starts with its outcome, so that no line is empty. */
export async function insertRows(trx: Trx, set_id: number, start: number, rows: RowBatch, outcomeColumn: number) {
  const outcome = outcomeIn(outcomeColumn < 0 ? 0 : 1)
  for (let done = 0; done < rows.length; ) {
    const lines = batchOf(rows, done).map((row) => [row[outcomeColumn] ?? '', ...row].map(writable))
    await sql`insert into set_rows (set_id, number, cells, outcome)
      select ${set_id}::int, ${start + done}::int + place, cells[2:], ${outcome} from ${asTable(lines)}`.execute(trx)
    done += lines.length
  }
}

function batchOf(rows: RowBatch, from: number) {
  let characters = 0
  let to = from
  while (to < rows.length && to - from < BATCH.rows && characters < BATCH.characters) {
    characters += length(rows[to] ?? [])
    to += 1
  }
  return rows.slice(from, to)
}

function length(cells: readonly string[]) {
  return cells.reduce((sum, cell) => sum + cell.length, 0)
}

type Row = { number: number; cells: string[] }

/**
 * Reads the rows of a set in order, or those with one of some outcomes, in parts of limited size. Each part is a separate
 * short statement, so that a slow consumer holds no connection. The rows of a set never change.
 */
export function rowReader(db: Db, set_id: number, outcomes?: readonly string[]) {
  let after = 0
  // Rows can be very long, so the size of the next part depends on the length of the last rows.
  let fitting = 100
  return async function next(most: number = BATCH.rows): Promise<Row[]> {
    const limit = Math.min(most, fitting)
    const filter = outcomes ? hasOutcome(outcomes) : sql<SqlBool>`true`
    const wanted = sql`select number, cells from set_rows
      where set_id = ${set_id} and number > ${after} and ${filter} order by number limit ${limit}`
    const part = sql<Row>`select number, cells
      from (${fittingRows(wanted, { bytes: BATCH.characters, rowBytes: DOWNLOADED_ROW_BYTES })}) as part order by number`
    const found = await rowsOf(db, part)
    after = found.at(-1)?.number ?? after
    const average = found.reduce((sum, { cells }) => sum + length(cells), 0) / found.length
    fitting = Math.max(1, Math.min(fitting * 10, BATCH.rows, Math.floor(BATCH.characters / (average || 1))))
    return found
  }
}

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

/** One outcome is compared by equality, because then the index has its rows in order. */
export function hasOutcome(outcomes: readonly string[]) {
  return outcomes.length === 1
    ? sql<SqlBool>`outcome = ${outcomes[0]}`
    : sql<SqlBool>`outcome = any(${outcomes}::text[])`
}

/** The assumed compression ratio. Ordinary text has 2 to 4, a single repeated character 100 or more. */
const UNFOLDS = 8

/**
 * Selects the first of these rows, up to a number of bytes, and at least one. PostgreSQL decompresses a row to measure
 * it, so rows that do not fit by stored size are left for the next part without measuring. If a row from before the
 * limit existed is longer than `rowBytes`, its cells are cut and marked.
 */
export function fittingRows(wanted: RawBuilder<unknown>, { bytes, rowBytes }: { bytes: number; rowBytes: number }) {
  const most = sql`greatest(10, ${rowBytes}::int / width)`
  const cut = sql`array(select case when length(cell) > ${most}
      then left(cell, ${most}) || '… (cut: ' || length(cell) || ' characters in all)' else cell end
    from unnest(cells) with ordinality as each (cell, place) order by place)`
  const likely = sql`select number, cells, pg_column_size(cells)
      * case when pg_column_compression(cells) is null then 1 else ${UNFOLDS}::bigint end as size from (${wanted}) as wanted`
  // `offset 0` keeps the planner from computing the size more than once.
  const sized = sql`select number, cells, cardinality(cells) as width,
      octet_length(array_to_string(cells, '')) + 3 * cardinality(cells) as size
    from (${upTo(likely, bytes)}) as likely offset 0`
  return sql`select number, case when size > ${rowBytes} then ${cut} else cells end as cells
    from (${upTo(sized, bytes)}) as fitting`
}

/** The rows that start within the limit. */
function upTo(sized: RawBuilder<unknown>, bytes: number) {
  return sql`select * from (
    select *, sum(size) over (order by number) - size as before from (${sized}) as sized) as summed where before < ${bytes}`
}
