import { MAX_ROWS } from '@watchdesk/contract/limits'
import { TABLE_MESSAGES, TableError } from '@watchdesk/contract/table-error'
import { readXlsx } from '@watchdesk/contract/xlsx/reader'
import type { StringStore } from '@watchdesk/contract/xlsx/shared-strings'
import { openArchive } from './archive.ts'
import type { Progress } from './csv.ts'
import { MAX_UNPACKED } from './limits.ts'
import type { Sink } from './sink.ts'

const ROWS_PER_REPORT = 2_000
const OLE = 0xd0cf11e0

/** The first sheet of a workbook. */
export async function readXlsxFile<S extends Sink>(file: Blob, sinkOf: () => S, progress: Progress): Promise<S> {
  if (await isOle(file)) {
    throw new TableError('It is password-protected or an old .xls file. Save it as .xlsx without a password.')
  }
  const archive = await openArchive(file)
  const sink = sinkOf()
  let count = 0
  const rows = readXlsx(archive, createStringList(), ({ row, cells, width, hasStoredBlanks }) => {
    if (row > MAX_ROWS) throw new TableError(TABLE_MESSAGES.too_many_rows)
    sink.add(cells, row, width, hasStoredBlanks)
    count += 1
    if (count % ROWS_PER_REPORT === 0) progress(undefined, sink.count())
  })
  for await (const _ of rows);
  return sink
}

async function isOle(file: Blob) {
  const start = await file.slice(0, 4).arrayBuffer()
  return start.byteLength === 4 && new DataView(start).getUint32(0) === OLE
}

function createStringList(): StringStore {
  const texts: string[] = []
  let characters = 0
  return {
    add(text) {
      characters += text.length
      if (characters > MAX_UNPACKED.other) throw new TableError(TABLE_MESSAGES.too_much_text)
      texts.push(text)
    },
    get: (index) => texts[index],
  }
}
