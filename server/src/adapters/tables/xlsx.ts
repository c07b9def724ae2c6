import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { cellText } from '@watchdesk/contract/xlsx/cell'
import { readXlsx, type SheetRow } from '@watchdesk/contract/xlsx/reader'
import { createBatch } from './batch.ts'
import { createStringFile } from './string-file.ts'
import type { TableRow } from './tables.ts'
import { openZip } from './zip.ts'

/** Reads the rows of the first sheet of a workbook. */
export async function* xlsxRows(path: string, options?: { hasWidth: boolean }): AsyncGenerator<TableRow[]> {
  const zip = await openZip(path)
  const strings = createStringFile(join(dirname(path), `${randomUUID()}.strings`))
  const batch = createBatch(options)
  const add = ({ cells, ...row }: SheetRow) => batch.add({ ...row, cells: cells.map(cellText) })
  try {
    for await (const _ of readXlsx(zip, strings, add)) yield* batch.full()
    yield* batch.rest()
  } finally {
    strings.close()
    zip.close()
  }
}
