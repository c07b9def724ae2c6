import { restore } from '@watchdesk/contract/csv'
import { SOMETHING_WENT_WRONG } from '@watchdesk/contract/errors'
import { LENGTH, MISMATCHING_ROWS_LISTED, TIMEOUT_MS } from '@watchdesk/contract/limits'
import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { TABLE_MESSAGES, TableError } from '@watchdesk/contract/table-error'
import type { Actor } from '../../actor.ts'
import { sheetUrl } from '../../adapters/sheets/local.ts'
import { readTable } from '../../adapters/tables/read-table.ts'
import type { TableKind, TableRow } from '../../adapters/tables/tables.ts'
import { CELL_CHARACTERS } from '../../adapters/tables/write-xlsx.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'
import { lockRecord } from '../../db/records.ts'
import { bytesOf, countOutcomes, createRowSet, insertRows } from '../../db/row-sets.ts'
import { writable } from '../../db/writable.ts'
import type { Deps } from '../../deps.ts'
import type { Upload } from '../../plugins/upload.ts'
import { found, invalid, Problem } from '../../problem.ts'
import { beginOperation, endOperation, recordFailure } from '../operations/record.ts'
import { SHEET, selectSheet, showRows } from './store.ts'

const OUTCOME = 'outcome'
/** A column with more or longer distinct values does not hold outcomes. */
const MAX_OUTCOMES = 100
/** So that each row fits in one response. */
const ROW_CHARACTERS = 1_000_000

/** The former rows are kept for the undo. */
export async function replaceSheet({ rights, env }: Deps, actor: Actor, id: number, file: Upload, ifMatch?: string) {
  const about = {
    kind: 'sheet_replacement',
    name: file.name,
    bytes: file.bytes,
    sheet_url: sheetUrl(id, env.PUBLIC_URL),
  } as const
  try {
    return await rights.writeLong(actor, TIMEOUT_MS.stories, replace)
  } catch (error) {
    // Only what is wrong with the file, or with the server. A sheet that changed or does not exist is not an import.
    const failure = error instanceof Problem ? error : undefined
    if (failure === undefined || failure.status === 422) {
      const failed = { ...about, error: failure?.message ?? SOMETHING_WENT_WRONG }
      // The error of the replacement is the one to report, also if it cannot be recorded.
      await recordFailure(rights, actor, failed).catch(() => {})
    }
    throw error
  }

  async function replace(trx: Trx) {
    const current = await lockRecord(trx, SHEET, id, ifMatch)
    const import_id = await beginOperation(trx, actor, about)
    const hasOutcomes = current.outcomes !== null
    const rows_id = await createRowSet(trx, { header: [], row_count: 0, outcomes: null })
    const read = await insertFile(trx, rows_id, file, hasOutcomes).catch(asProblem)
    const { header, row_count, outcomes } = read
    const set = { header, row_count, outcomes: outcomes && JSON.stringify(outcomes) }
    await trx.updateTable('row_sets').set(set).where('id', '=', rows_id).execute()
    const version = await showRows(trx, actor, import_id, current, { rows_id, ...read })
    await endOperation(trx, import_id, { counts: { rows: row_count }, rows_id })
    const changes = {
      ...changesBetween(current, { header, row_count }),
      file: { before: null, after: file.name },
      import_id: { before: null, after: import_id },
    }
    const record = { name: current.title, version }
    await audit(trx, actor, { action: 'update', entity: 'sheet', entity_id: id, record, changes })
    return found(await selectSheet(trx, id), 'Sheet')
  }
}

async function insertFile(trx: Trx, set_id: number, file: Upload, hasOutcomes: boolean) {
  let header: string[] | undefined
  let row_count = 0
  let bytes = 0
  let outcomes: Record<string, number> | null | undefined
  const mismatching: number[] = []
  for await (const batch of readTable(file.path, file.kind)) {
    header ??= headerOf(batch.shift(), file.kind)
    const width = header.length
    const column = hasOutcomes ? header.indexOf(OUTCOME) : -1
    mismatching.push(...batch.filter(({ cells }) => cells.length > width).map(({ row }) => row))
    if (mismatching.length >= MISMATCHING_ROWS_LISTED) break
    batch.forEach(checkLengths)
    const rows = batch.map(({ cells }) => Array.from({ length: width }, (_, index) => cellOf(cells[index])))
    await insertRows(trx, set_id, row_count, rows, column)
    row_count += rows.length
    bytes += bytesOf(rows)
    if (column >= 0 && outcomes !== null) outcomes = ifFew(countOutcomes(rows, column, outcomes))
  }
  if (!header) throw new TableError(TABLE_MESSAGES.empty)
  if (mismatching.length > 0) throw new TableError(SOURCE_IMPORT_MESSAGES.mismatch(mismatching))
  return { header, row_count, outcomes: outcomes ?? null, bytes }
}

function checkLengths({ row, cells }: TableRow) {
  if (cells.some(({ length }) => length > CELL_CHARACTERS)) {
    throw new TableError(`Row ${row} has a cell of more than ${count(CELL_CHARACTERS)} characters. Shorten it.`)
  }
  if (cells.reduce((sum, { length }) => sum + length, 0) > ROW_CHARACTERS) {
    throw new TableError(`Row ${row} has more than ${count(ROW_CHARACTERS)} characters. Shorten it.`)
  }
}

function count(number: number) {
  return number.toLocaleString('en')
}

function headerOf(first: TableRow | undefined, kind: TableKind) {
  if (first) checkLengths(first)
  const header = (first?.cells ?? []).map(cellOf)
  if (header.some((name) => name.trim() === '')) {
    const { empty_csv_header, empty_xlsx_header } = SOURCE_IMPORT_MESSAGES
    throw new TableError(kind === 'csv' ? empty_csv_header : empty_xlsx_header)
  }
  return header
}

function cellOf(cell = '') {
  return restore(writable(cell))
}

function ifFew(counts: Record<string, number>) {
  const outcomes = Object.keys(counts)
  return outcomes.length <= MAX_OUTCOMES && outcomes.every(({ length }) => length <= LENGTH.name) ? counts : null
}

function asProblem(error: unknown): never {
  throw error instanceof TableError ? invalid('file', error.message) : error
}
