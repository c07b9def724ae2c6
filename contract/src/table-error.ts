import { MAX_ROWS } from './limits.ts'

/** An error in a CSV or XLSX file, with a message for the user. */
export class TableError extends Error {
  // An own property, because errors from a worker keep their properties but lose their class.
  override name = 'TableError'
}

export const NO_ROWS = 'The file has no rows below its column names.'

export function tooManyRows() {
  return new TableError(`The file has more than ${MAX_ROWS.toLocaleString('en')} rows. Split it into smaller files.`)
}

export function tooManyCells() {
  return new TableError(
    'The file has more cells than can be read. Remove the cells outside the table, or split the file.',
  )
}
