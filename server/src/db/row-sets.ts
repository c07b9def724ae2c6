import { LENGTH } from '@watchdesk/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from './open.ts'
import { rowsOf } from './read.ts'
import { writable } from './writable.ts'

/** The size of one read: large enough to be fast, small enough for memory. */
const PART = { rows: 1000, bytes: 1_000_000 }
const PAGE_BYTES = 2_000_000
/** PostgreSQL compresses long rows, a single repeated character a hundredfold. */
const MAX_COMPRESSION = 100
/** Between cells and rows that are sent as one text. `writable` removes both. */
const [CELL_END, ROW_END] = ['\u001f', '\u001e']

export type RowBatch = readonly (readonly string[])[]

export function countOutcomes(rows: RowBatch, column: number, earlier: Record<string, number> = {}) {
  const counts: Record<string, number> = Object.assign(Object.create(null), earlier)
  for (const row of rows) {
    const outcome = row[column] ?? ''
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

type RowSet = {
  header: readonly string[]
  row_count: number
  /** The number of rows by what the column `outcome` says, if rows can be filtered by it. */
  outcomes: Record<string, number> | null
}

export async function createRowSet(trx: Trx, { header, row_count, outcomes }: RowSet) {
  const values = { header: [...header], row_count, outcomes: outcomes && JSON.stringify(outcomes) }
  const { id } = await trx.insertInto('row_sets').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** A new set of rows that are in the database already, of which `query` selects `cells` and `place`. */
export async function copyRows(trx: Trx, content: RowSet, query: RawBuilder<unknown>) {
  const rows_id = await createRowSet(trx, content)
  const place = content.outcomes ? content.header.indexOf('outcome') + 1 : 0
  const { rows } = await sql<{ bytes: number }>`with copied as (
      insert into set_rows (set_id, number, cells, outcome)
      select ${rows_id}::int, place, cells, ${outcomeIn(place)} from (${query}) as wanted
      returning octet_length(array_to_string(cells, '')) as bytes
    )
    select coalesce(sum(bytes), 0)::bigint as bytes from copied`.execute(trx)
  return { rows_id, bytes: rows[0]?.bytes ?? 0 }
}

export function bytesOf(rows: RowBatch) {
  let bytes = 0
  for (const row of rows) for (const cell of row) bytes += Buffer.byteLength(cell)
  return bytes
}

/** Indexed, so the length is limited. */
function outcomeIn(place: number) {
  return place < 1 ? sql`null` : sql`left(cells[${place}::int], ${LENGTH.name})`
}

/** One parameter costs the event loop a quarter of what arrays cost. Each line starts with its outcome: none is empty. */
export async function insertRows(trx: Trx, set_id: number, start: number, rows: RowBatch, outcomeColumn: number) {
  const lines = rows.map((cells) => [cells[outcomeColumn] ?? '', ...cells].map(writable).join(CELL_END))
  await sql`insert into set_rows (set_id, number, cells, outcome)
    select ${set_id}::int, ${start}::int + place, cells[2:], ${outcomeIn(outcomeColumn < 0 ? 0 : 1)}
    from (select place, string_to_array(line, ${CELL_END}) as cells
      from string_to_table(${lines.join(ROW_END)}, ${ROW_END}) with ordinality as lines (line, place)) as input`.execute(
    trx,
  )
}

type Row = { number: number; cells: string[] }

/** Each part is a short statement, so that a slow consumer holds no connection: the rows of a set never change. */
export function rowReader(db: Db, set_id: number, outcomes?: readonly string[], first = 1) {
  let after = first - 1
  return async function next(most: number = PART.rows): Promise<Row[]> {
    // By their stored size, because PostgreSQL would decompress all of them to measure them.
    const sized = sql`select number, cells, pg_column_size(cells)
        * case when pg_column_compression(cells) is null then 1 else ${MAX_COMPRESSION}::bigint end as size
      from set_rows where set_id = ${set_id} and number > ${after} and ${hasOutcome(outcomes)}
      order by number limit ${Math.min(most, PART.rows)}`
    const part = sql<Row>`select number, cells
      from (select *, sum(size) over (order by number) - size as before from (${sized}) as sized) as summed
      where before < ${PART.bytes} order by number`
    const rows = await rowsOf(db, part)
    after = rows.at(-1)?.number ?? after
    return rows
  }
}

type Range = { offset: number; limit: number; outcomes: readonly string[] | undefined; total: number }

/** Rows of a set. Returns fewer than requested, but at least one, if they are long. */
export async function readRows(db: Db, set_id: number, { offset, limit, outcomes, total }: Range): Promise<Row[]> {
  const rows: Row[] = []
  const count = Math.min(limit, total - offset)
  if (count <= 0) return rows
  // Row numbers have no gaps, so a position in the set is a row number.
  const next = rowReader(db, set_id, outcomes, outcomes ? await numberAmong(db, set_id, outcomes, offset) : offset + 1)
  for (let bytes = 0; rows.length < count && bytes < PAGE_BYTES; ) {
    const part = await next(count - rows.length)
    if (part.length === 0) break
    rows.push(...part)
    bytes += bytesOf(part.map(({ cells }) => cells))
  }
  return rows
}

export function countRows({ row_count, outcomes }: Omit<RowSet, 'header'>, wanted: readonly string[] | undefined) {
  if (!wanted) return row_count
  const counts = new Map(Object.entries(outcomes ?? {}))
  return [...new Set(wanted)].reduce((sum, outcome) => sum + (counts.get(outcome) ?? 0), 0)
}

async function numberAmong(db: Db, set_id: number, outcomes: readonly string[], offset: number) {
  const place = sql<{ number: number }>`select number from set_rows where set_id = ${set_id} and ${hasOutcome(outcomes)}
    order by number offset ${offset} limit 1`
  return (await rowsOf(db, place))[0]?.number
}

/** One outcome is compared by equality, because then the index has its rows in order. */
function hasOutcome(outcomes: readonly string[] | undefined) {
  if (!outcomes) return sql`true`
  return outcomes.length === 1 ? sql`outcome = ${outcomes[0]}` : sql`outcome = any(${outcomes}::text[])`
}
