import { csvRows } from './csv.ts'
import type { TableKind, TableRow } from './tables.ts'
import { xlsxRows } from './xlsx.ts'

/** Batches of the rows of a file, read on this very thread: for workers. */
export function rowsOf(path: string, kind: TableKind): AsyncGenerator<TableRow[]> {
  return kind === 'csv' ? csvRows(path) : xlsxRows(path)
}
