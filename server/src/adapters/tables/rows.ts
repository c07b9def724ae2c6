import { csvRows } from './csv.ts'
import type { TableKind, TableRow } from './tables.ts'

/**
 * Yields batches of rows. Runs on the calling thread, so call it from a worker, which starts sooner if it loads what reads
 * workbooks only for a workbook.
 */
export async function* rowsOf(
  path: string,
  kind: TableKind,
  options?: { hasWidth: boolean },
): AsyncGenerator<TableRow[]> {
  if (kind === 'csv') return yield* csvRows(path, options)
  const { xlsxRows } = await import('./xlsx.ts')
  yield* xlsxRows(path, options)
}
