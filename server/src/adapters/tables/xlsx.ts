import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { cellText } from '@watchdesk/contract/xlsx/cell'
import { readXlsx } from '@watchdesk/contract/xlsx/reader'
import type { AddRow } from './batch.ts'
import { createStringFile } from './string-file.ts'
import { openZip } from './zip.ts'

export async function* readWorkbook(path: string, add: AddRow): AsyncGenerator<void> {
  const zip = await openZip(path)
  const strings = createStringFile(join(dirname(path), `${randomUUID()}.strings`))
  try {
    yield* readXlsx(zip, strings, ({ cells, ...row }) => add({ ...row, cells: cells.map(cellText) }))
  } finally {
    strings.close()
    zip.close()
  }
}
