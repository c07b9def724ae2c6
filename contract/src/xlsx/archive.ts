import { TableError } from '../table-error.ts'

/** The files of a workbook. Each side opens the ZIP archive in its own way. */
export type Archive = {
  /** The uncompressed bytes of a file; none if it does not exist. The rows of a sheet may be compressed a lot more. */
  read(name: string, isSheet?: boolean): AsyncIterable<Uint8Array>
}

const SAVE_AGAIN = 'Open it in a spreadsheet program and save it again as .xlsx.'

export function damaged(reason?: string) {
  const what = reason ? `The workbook is damaged: ${reason}.` : 'The file is not a readable XLSX workbook.'
  return new TableError(`${what} ${SAVE_AGAIN}`)
}
