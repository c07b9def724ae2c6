import { csvRows } from './csv.ts'
import type { TableKind, TableRow } from './tables.ts'
import { xlsxRows } from './xlsx.ts'

/** Yields batches of rows. Runs on the calling thread, so call it from a worker. */
export function rowsOf(path: string, kind: TableKind, options?: { hasWidth: boolean }): AsyncGenerator<TableRow[]> {
  return kind === 'csv' ? csvRows(path, options) : xlsxRows(path, options)
}
