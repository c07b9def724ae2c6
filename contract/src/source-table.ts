import { restore } from './csv.ts'
import { MAX_COLUMNS, MAX_ROWS, MISMATCHING_ROWS_LISTED } from './limits.ts'
import { SOURCE_IMPORT_MESSAGES } from './source-import.ts'
import { TABLE_MESSAGES, TableError } from './table-error.ts'
import type { CellValue } from './xlsx/cell.ts'

type TableKind = 'csv' | 'xlsx'

export type SourceTable = {
  /** The name of each column; undefined for ignored columns. */
  keys: (string | undefined)[]
  names: string[]
  /** What was ignored, in sentences. */
  notes: string[]
}

type Keep = (cells: readonly CellValue[], row: number, table: SourceTable) => void

/**
 * The first row that is not blank is the header; docs/decisions/0023 says which further rows match it. Trailing columns
 * of a workbook with neither name nor value are ignored; if every row has a value there, the name is missing.
 */
export function sourceTableReader(kind: TableKind, keep: Keep) {
  const mismatches: number[] = []
  /** The first rows of a workbook with fewer values than columns. */
  const shorter: number[] = []
  let storesBlanks = false
  let count = 0
  let header: SourceTable | undefined

  /** `width` is the number of values in the file: `cells` may lack blank ones at the end. */
  function add(written: readonly CellValue[], row: number, width: number, hasStoredBlanks = false) {
    // Files that we write have an apostrophe before text that a spreadsheet would run as a formula.
    const cells = written.map((cell) => (typeof cell === 'string' ? restore(cell) : cell))
    const last = lastValue(cells)
    if (last < 0) return
    if (header === undefined) {
      header = headerOf(cells, kind, width)
      return
    }
    const { length } = header.keys
    if (last >= length || (kind === 'csv' && width !== length)) return mismatch(row)
    storesBlanks ||= hasStoredBlanks
    if (width < length && shorter.length < MISMATCHING_ROWS_LISTED) shorter.push(row)
    if (count === MAX_ROWS) throw new TableError(TABLE_MESSAGES.too_many_rows)
    count += 1
    keep(cells, row, header)
  }

  function mismatch(row: number) {
    mismatches.push(row)
    if (mismatches.length === MISMATCHING_ROWS_LISTED) throw mismatchError()
  }

  function mismatchError() {
    const isColumn = kind === 'xlsx' && count === 0
    const rows = storesBlanks ? [...mismatches, ...shorter].sort((a, b) => a - b) : mismatches
    return isColumn ? emptyNameError(kind) : new TableError(SOURCE_IMPORT_MESSAGES.mismatch(rows), true)
  }

  function finish(): SourceTable & { count: number } {
    if (header === undefined) throw new TableError('It is empty.')
    if (mismatches.length > 0 || (storesBlanks && shorter.length > 0)) throw mismatchError()
    return { ...header, count }
  }

  return { add, finish, count: () => count }
}

function headerOf(cells: readonly CellValue[], kind: TableKind, width: number): SourceTable {
  const named = kind === 'csv' ? cells : cells.slice(0, lastValue(cells) + 1)
  const names = named.map((cell) => String(cell).trim())
  if (names.length > MAX_COLUMNS) throw new TableError(`It has more than ${MAX_COLUMNS.toLocaleString('en')} columns.`)
  if (names.includes('') || width > names.length) throw emptyNameError(kind)
  /** Column names are case-insensitive, so only the first of two that differ in case is used. */
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const keys = names.map((name) => {
    // Servers reject this name because of prototype pollution.
    if (name === '__proto__') return undefined
    const key = name.toLowerCase()
    if (!seen.has(key)) {
      seen.add(key)
      return name
    }
    repeated.add(name)
    return undefined
  })
  const notes = [...repeated].map((name) => `More than one column is named ${name}. Only the first is used.`)
  if (names.includes('__proto__')) notes.push('The column __proto__ is ignored: that name is not allowed.')
  return { keys, names, notes }
}

function emptyNameError(kind: TableKind) {
  return new TableError(SOURCE_IMPORT_MESSAGES[kind === 'csv' ? 'empty_csv_header' : 'empty_xlsx_header'], true)
}

function lastValue(cells: readonly CellValue[]) {
  return cells.findLastIndex((cell) => !isEmptyCell(cell))
}

export function isEmptyCell(cell: CellValue | undefined): cell is undefined | '' {
  return cell === undefined || cell === '' || (typeof cell === 'string' && cell.trim() === '')
}
