import { MAX_ROWS } from './limits.ts'
import { XLSX_LIMITS } from './xlsx/limits.ts'

/** An error in a CSV or XLSX file, with a message for the user: why the file cannot be read. */
export class TableError extends Error {
  // An own property, because errors from a worker keep their properties but lose their class.
  override name = 'TableError'
  /** Whether the message says all, so that users need not be told that the file cannot be read. */
  readonly isWhole: boolean

  constructor(message: string, isWhole = false) {
    super(message)
    this.isWhole = isWhole
  }
}

export const TABLE_MESSAGES = {
  empty: 'The file is empty.',
  no_rows: 'The file has no rows below its column names.',
  no_text: 'The file does not contain text. Save it as CSV.',
  too_many_rows: `The file has more than ${MAX_ROWS.toLocaleString('en')} rows. Split it into smaller files.`,
  too_many_cells: 'The file has more cells than can be read. Remove the cells outside the table, or split the file.',
  too_many_files: 'The workbook contains too many files. Save it as CSV.',
  too_much_text: 'The workbook contains too much text. Save it as CSV.',
  long_cell: `A cell has more than ${XLSX_LIMITS.cellLength.toLocaleString('en')} characters. Shorten it.`,
  has_password: 'The workbook is protected by a password. Save it without one.',
} as const
