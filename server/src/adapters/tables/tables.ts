import { MAX_ROW_LENGTH, MAX_ROWS } from '@watchdesk/contract/limits'
import { TableError } from '@watchdesk/contract/table-error'

/** What a table file can be. */
export type TableKind = 'csv' | 'xlsx'

/** A row with a value, under its number in the spreadsheet; blank cells at its end are left out. */
export type TableRow = { row: number; cells: string[] }

export function tooManyCells() {
  return new TableError(
    'The file has more cells than can be read. Remove the cells outside the table, or split the file.',
  )
}

/** What a spreadsheet can hold, and what no honest one needs. */
export const LIMITS = {
  rows: MAX_ROWS,
  columns: 16_384,
  cells: 50_000_000,
  /** Blank ones before others: a cell that stands far off costs as much as those on the way to it. */
  blankCells: 20_000_000,
  characters: 600_000_000,
  cellLength: 32_767,
  /** Of one row. */
  rowLength: MAX_ROW_LENGTH,
  /** Files inside a workbook. */
  entries: 10_000,
  /** Of each file that is read of a workbook, unpacked. */
  inflatedBytes: 1_000_000_000,
  /** Unpacked bytes for each packed one, after the first few. Rows may repeat one text often, so they have more of them. */
  ratio: 200,
  ratioFreeBytes: 10_000_000,
  ratioFreeRowBytes: 100_000_000,
  sharedStrings: 5_000_000,
  sharedBytes: 800_000_000,
  /** Excel itself takes 65,490 styles and a few hundred number formats. */
  styles: 100_000,
  numberFormats: 10_000,
  /** Of XML without an element's begin or end. */
  xmlPiece: 1_000_000,
  xmlDepth: 50,
  /** Elements that hold no value, beside those that come with each value. */
  idleElements: 3_000_000,
  elementsPerValue: 20,
} as const

/** Rows are handed on in batches of about so many cells of an ordinary length. */
export const BATCH_CELLS = 5_000
