import { TableError } from '../table-error.ts'

/** The files of a workbook. Each side opens the ZIP archive in its own way. */
export type Archive = {
  /** The uncompressed bytes of a file; none if it does not exist. The rows of a sheet may be compressed a lot more. */
  read(name: string, isSheet?: boolean): AsyncIterable<Uint8Array>
}

export function damaged() {
  return new TableError(
    'The file is not a readable XLSX workbook. Open it in a spreadsheet program and save it again as .xlsx.',
  )
}

export function tooManyFiles() {
  return new TableError('The workbook contains too many files.')
}

export function passwordProtected() {
  return new TableError('The workbook is protected by a password. Save it without one.')
}
