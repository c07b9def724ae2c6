import { MAX_ROW_LENGTH, MAX_ROWS } from '@watchdesk/contract/limits'
import { TableError } from '@watchdesk/contract/table-error'

export type TableKind = 'csv' | 'xlsx'

/** A row with at least one value, and its row number in the spreadsheet. Trailing blank cells are left out. */
export type TableRow = { row: number; cells: string[] }

export function tooManyCells() {
  return new TableError(
    'The file has more cells than can be read. Remove the cells outside the table, or split the file.',
  )
}

/** Limits: what a spreadsheet program supports, and what no legitimate file exceeds. */
export const LIMITS = {
  rows: MAX_ROWS,
  columns: 16_384,
  cells: 50_000_000,
  /** Blank cells before a value: a value far to the right costs as much as all the cells before it. */
  blankCells: 20_000_000,
  characters: 600_000_000,
  cellLength: 32_767,
  /** Characters in one row. */
  rowLength: MAX_ROW_LENGTH,
  /** Files inside a workbook. */
  entries: 10_000,
  /** Uncompressed size of each file read from a workbook. */
  inflatedBytes: 1_000_000_000,
  /**
   * Compression ratio allowed after the first few megabytes. Worksheets get a higher allowance, because their rows repeat
   * text.
   */
  ratio: 200,
  ratioFreeBytes: 10_000_000,
  ratioFreeRowBytes: 100_000_000,
  sharedStrings: 5_000_000,
  sharedBytes: 800_000_000,
  /** Excel supports 65,490 styles and a few hundred number formats. */
  styles: 100_000,
  numberFormats: 10_000,
  /** Bytes of XML without a start or end tag. */
  xmlPiece: 1_000_000,
  xmlDepth: 50,
  /** Elements without a value, in addition to those allowed for each value. */
  idleElements: 3_000_000,
  elementsPerValue: 20,
} as const

/** The approximate number of cells of ordinary length in a batch. */
export const BATCH_CELLS = 5_000
