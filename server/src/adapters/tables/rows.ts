import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { createCsvReader } from '@watchdesk/contract/csv-reader'
import { cellText } from '@watchdesk/contract/xlsx/cell'
import { readXlsx } from '@watchdesk/contract/xlsx/reader'
import { type AddRow, createBatch } from './batch.ts'
import { textOf } from './encoding.ts'
import { createStringFile } from './string-file.ts'
import type { TableKind, TableRow } from './tables.ts'
import { openZip } from './zip.ts'

/** Yields batches of rows. Runs on the calling thread, so call it from a worker. */
export async function* rowsOf(path: string, kind: TableKind): AsyncGenerator<TableRow[]> {
  const batch = createBatch()
  for await (const _ of kind === 'csv' ? readCsv(path, batch.add) : readWorkbook(path, batch.add)) {
    if (batch.isFull()) yield batch.take()
  }
  const rest = batch.take()
  if (rest.length > 0) yield rest
}

/** Rows of a CSV file as a spreadsheet shows them: a line break inside quotes does not start a new row. */
async function* readCsv(path: string, add: AddRow): AsyncGenerator<void> {
  const reader = createCsvReader(add)
  for await (const chunk of textOf(path)) yield reader.write(chunk)
  reader.end()
}

/** The rows of the first sheet. */
async function* readWorkbook(path: string, add: AddRow): AsyncGenerator<void> {
  const zip = await openZip(path)
  const strings = createStringFile(join(dirname(path), `${randomUUID()}.strings`))
  try {
    yield* readXlsx(zip, strings, ({ cells, ...row }) => add({ ...row, cells: cells.map(cellText) }))
  } finally {
    strings.close()
    zip.close()
  }
}
