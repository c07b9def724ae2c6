import { restore } from '@watchdesk/contract/csv'
import { MAX_COLUMNS, MAX_ROWS, MISMATCHING_ROWS_LISTED } from '@watchdesk/contract/limits'
import type { SheetRecord } from '@watchdesk/contract/source-import'
import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { tooManyRows } from '@watchdesk/contract/table-error'
import type { CellValue } from '@watchdesk/contract/xlsx/cell'
import { FileError, invalidFile } from '../../../ui/file-reader/file-error.ts'
import type { TableKind } from '../../../ui/file-reader/sink.ts'

/** Rows as they were read. They become records on demand: a million objects would use too much memory. */
export type Table = {
  /** The name of each column; undefined for ignored columns. */
  keys: (string | undefined)[]
  /** The names of all columns, as they are in the file. */
  names: string[]
  values: (readonly CellValue[])[]
  /** `rows[i]` is the spreadsheet's row number of `values[i]`. */
  rows: number[]
  /** What was ignored, in sentences. */
  notes: string[]
}

/** A row by column name, without empty cells. It has no prototype, so that a column may have any name. */
export function recordFrom(keys: Table['keys'], cells: readonly CellValue[]): SheetRecord {
  const record: SheetRecord = Object.create(null)
  for (const [column, key] of keys.entries()) {
    const cell = cells[column]
    if (key !== undefined && !isEmpty(cell)) record[key] = cell
  }
  return record
}

/**
 * Turns rows into records. The first row that is not blank is the header. For each further row that is not blank:
 * - blank cells are left out of the record;
 * - a value beyond the last column is an error;
 * - a CSV row with fewer values than columns is an error, even if the missing ones would be empty, because its separators
 *   are missing. Spreadsheets do not store empty cells, so their rows may be shorter;
 * - a CSV header that ends with a separator has an empty name. Trailing columns of a workbook with neither name nor value
 *   are ignored; if every row has a value there, or the header an empty cell, the name is missing.
 */
export function collector(kind: TableKind) {
  const values: Table['values'] = []
  const rows: number[] = []
  const mismatches: number[] = []
  let columns: Columns | undefined

  function add(written: readonly CellValue[], row: number, width: number) {
    const cells = written.some(hasApostrophe) ? written.map(restoreCell) : written
    if (columns === undefined) {
      if (lastValue(cells) >= 0) columns = columnsOf(cells, kind, width)
      return
    }
    const { keys } = columns
    const last = lastValue(cells)
    if (last < 0) return
    if (last >= keys.length && last < columns.width) throw emptyNameError(kind)
    if (last >= keys.length || (kind === 'csv' && cells.length < keys.length)) mismatch(row)
    else keep(cells, row)
  }

  function mismatch(row: number) {
    mismatches.push(row)
    if (mismatches.length === MISMATCHING_ROWS_LISTED) throw mismatchError()
  }

  function mismatchError() {
    const isColumn = kind === 'xlsx' && values.length === 0
    return isColumn ? emptyNameError(kind) : new FileError(SOURCE_IMPORT_MESSAGES.mismatch(mismatches))
  }

  function keep(cells: readonly CellValue[], row: number) {
    if (values.length === MAX_ROWS) throw tooManyRows()
    values.push(cells)
    rows.push(row)
  }

  function finish(): Table {
    if (columns === undefined) throw invalidFile('It is empty.')
    if (mismatches.length > 0) throw mismatchError()
    return { keys: columns.keys, names: columns.names, values, rows, notes: columns.notes }
  }

  return { add, finish, count: () => values.length }
}

type Columns = {
  keys: Table['keys']
  names: string[]
  /** Including columns at the end without a name. */
  width: number
  notes: string[]
}

function columnsOf(cells: readonly CellValue[], kind: TableKind, width: number): Columns {
  const named = kind === 'csv' ? cells : cells.slice(0, lastValue(cells) + 1)
  const names = named.map((cell) => String(cell).trim())
  if (names.length > MAX_COLUMNS) throw invalidFile(`It has more than ${MAX_COLUMNS.toLocaleString('en')} columns.`)
  if (names.includes('')) throw emptyNameError(kind)
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const keys = names.map((name) => {
    // Servers reject this name because of prototype pollution.
    if (name === '__proto__') return undefined
    // Column names are case-insensitive, so only the first of two that differ in case is used.
    const key = name.toLowerCase()
    if (seen.has(key)) {
      repeated.add(name)
      return undefined
    }
    seen.add(key)
    return name
  })
  const notes = [...repeated].map((name) => `More than one column is named ${name}. Only the first is used.`)
  if (names.includes('__proto__')) notes.push('The column __proto__ is ignored: that name is not allowed.')
  return { keys, names, width, notes }
}

function emptyNameError(kind: TableKind) {
  return new FileError(SOURCE_IMPORT_MESSAGES[kind === 'csv' ? 'empty_csv_header' : 'empty_xlsx_header'])
}

/** Files that we write have an apostrophe before text that a spreadsheet would run as a formula. */
function restoreCell(cell: CellValue) {
  return typeof cell === 'string' ? restore(cell) : cell
}

function hasApostrophe(cell: CellValue) {
  return typeof cell === 'string' && cell.includes("'")
}

/** The index of the last cell that is not empty. */
function lastValue(cells: readonly CellValue[]) {
  let index = cells.length - 1
  while (index >= 0 && isEmpty(cells[index])) index -= 1
  return index
}

function isEmpty(cell: CellValue | undefined): cell is undefined | '' {
  return cell === undefined || cell === '' || (typeof cell === 'string' && cell.trim() === '')
}
