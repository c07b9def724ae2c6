import type { CellValue } from '@watchdesk/contract/xlsx/cell'

export type TableKind = 'csv' | 'xlsx'

/** Receives the rows of a file as they are read, including blank ones. */
export type Sink = {
  /**
   * `row` is the row number in the spreadsheet. `width` is the number of values in the file: it can be larger than that
   * of `cells`, which may lack blank ones at the end.
   */
  add: (cells: readonly CellValue[], row: number, width: number, hasStoredBlanks?: boolean) => void
  /** The number of records kept so far. */
  count: () => number
}
