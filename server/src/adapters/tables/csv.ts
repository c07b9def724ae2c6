import { createCsvReader } from '@watchdesk/contract/csv-reader'
import { createBatch } from './batch.ts'
import { textOf } from './encoding.ts'
import type { TableRow } from './tables.ts'

/** Rows of a CSV file as a spreadsheet shows them: a line break inside quotes does not start a new row. */
export async function* csvRows(path: string, options?: { hasWidth: boolean }): AsyncGenerator<TableRow[]> {
  const batch = createBatch(options)
  const reader = createCsvReader(batch.add)
  for await (const chunk of textOf(path)) {
    reader.write(chunk)
    yield* batch.full()
  }
  reader.end()
  yield* batch.rest()
}
