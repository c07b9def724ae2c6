import { createCsvReader } from '@watchdesk/contract/csv-reader'
import { type AddRow, createBatch } from './batch.ts'
import { textOf } from './encoding.ts'
import type { TableKind, TableRow } from './tables.ts'

/** For a worker, which starts sooner if it loads what reads workbooks only for a workbook. */
export async function* rowsOf(path: string, kind: TableKind): AsyncGenerator<TableRow[]> {
  const read = kind === 'csv' ? readCsv : (await import('./xlsx.ts')).readWorkbook
  const batch = createBatch()
  for await (const _ of read(path, batch.add)) {
    if (batch.isFull()) yield batch.take()
  }
  const rest = batch.take()
  if (rest.length > 0) yield rest
}

async function* readCsv(path: string, add: AddRow): AsyncGenerator<void> {
  const reader = createCsvReader(add)
  for await (const chunk of textOf(path)) yield reader.write(chunk)
  reader.end()
}
