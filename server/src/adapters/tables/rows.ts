import { createCsvReader } from '@watchdesk/contract/csv-reader'
import { createBatch } from './batch.ts'
import { textOf } from './encoding.ts'
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

/** Rows of a CSV file as a spreadsheet shows them: a line break inside quotes does not start a new row. */
async function* csvRows(path: string, options?: { hasWidth: boolean }): AsyncGenerator<TableRow[]> {
  const batch = createBatch(options)
  const reader = createCsvReader(batch.add)
  for await (const chunk of textOf(path)) {
    reader.write(chunk)
    yield* batch.full()
  }
  reader.end()
  yield* batch.rest()
}
