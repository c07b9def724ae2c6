import { LENGTH } from '@watchdesk/contract/limits'
import { withoutTrailingSlashes } from '@watchdesk/contract/text'
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Actor } from '../../actor.ts'
import { asTable } from '../../db/lines.ts'
import type { Db } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { Tables } from '../../db/tables.ts'
import { writable } from '../../db/writable.ts'
import {
  type CreatedSheet,
  type NewRows,
  type NewSheet,
  type OnRows,
  type ReadSheet,
  type RowBatch,
  SheetError,
  type Sheets,
} from './sheets.ts'

/**
 * The size of one read or write statement: large enough to be fast, small enough for memory and the statement timeout.
 */
const BATCH = { rows: 10_000, characters: 2_000_000 }
/** Earlier releases allowed rows of up to 4,000,000 characters. */
const DOWNLOADED_ROW_BYTES = 16_000_000

/** Sheets that are stored in the database and opened in the console. */
export function localSheets(db: Db, publicUrl = ''): Sheets {
  return { serviceAccount: null, create, read }

  async function create(trx: Transaction<Tables>, actor: Actor, sheet: NewSheet): Promise<CreatedSheet> {
    const { title, origin, header, row_count, rows, outcomes } = sheet
    const column = outcomes ? header.indexOf(outcomes.column) : -1
    const content = {
      header: [...header],
      row_count,
      outcomes: outcomes ? JSON.stringify(outcomes.counts) : null,
    }
    const rows_id = await createRowSet(trx, content)
    const bytes = await copyRows(trx, rows_id, rows, column)
    const { id } = await trx
      .insertInto('sheets')
      .values({ title, origin, ...content, rows_id, bytes, created_by: actor.id, updated_by: actor.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id: String(id), url: sheetUrl(id, publicUrl), rows_id }
  }

  async function read(reference: string, signal?: AbortSignal, onRows?: OnRows): Promise<ReadSheet> {
    const id = Number(reference)
    const sheet = await db
      .selectFrom('sheets')
      .select(['title', 'header', 'deleted_at', rowsId])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!sheet) throw new SheetError(`Sheet ${id} does not exist. Check its URL.`)
    if (sheet.deleted_at) {
      throw new SheetError(`The sheet “${sheet.title}” is deleted. Restore it from the bin, or use another sheet.`)
    }
    let rows: ReadSheet['rows'] = []
    const next = rowReader(db, sheet.rows_id)
    for (let batch = await next(); batch.length > 0; batch = await next()) {
      signal?.throwIfAborted()
      for (const { number, cells } of batch) {
        if (cells.some((cell) => cell.trim() !== '')) rows.push({ row: number + 1, cells })
      }
      if (onRows) {
        await onRows(sheet.header, rows)
        rows = []
      }
    }
    return { id: reference, url: sheetUrl(id, publicUrl), header: sheet.header, rows }
  }
}

/** The address of the page of one of our own sheets: a console path if the public URL is not set. */
export function sheetUrl(id: number, publicUrl = '') {
  return `${withoutTrailingSlashes(publicUrl)}/sheets/${id}`
}

/** The id of one of our own sheets, from an id, a console path, or an address below the public URL. */
export function localSheetId(reference: string, publicUrl = ''): string | undefined {
  const base = withoutTrailingSlashes(publicUrl)
  const path = base !== '' && reference.startsWith(`${base}/`) ? reference.slice(base.length) : reference
  return /^(?:\/sheets\/)?0*([1-9]\d{0,8})\/?$/.exec(path)?.[1]
}

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
export async function createRowSet(trx: Transaction<Tables>, content: NewRowSet) {
  const { id } = await trx.insertInto('row_sets').values(content).returning('id').executeTakeFirstOrThrow()
  return id
}

type NewRowSet = { header: string[]; row_count: number; outcomes: string | null }

/** The rows of a sheet. */
export const rowsId = sql<number>`coalesce(sheets.rows_id, sheets.id)`.as('rows_id')

/** Rows that are already in the database are copied within it. Returns the size of their cells. */
export async function copyRows(trx: Transaction<Tables>, set_id: number, { query }: NewRows, column: number) {
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
export async function insertRows(
  trx: Transaction<Tables>,
  set_id: number,
  start: number,
  rows: RowBatch,
  outcomeColumn: number,
) {
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
