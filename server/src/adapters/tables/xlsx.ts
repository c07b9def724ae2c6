import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TABLE_MESSAGES, TableError } from '@watchdesk/contract/table-error'
import { cellText } from '@watchdesk/contract/xlsx/cell'
import { XLSX_LIMITS } from '@watchdesk/contract/xlsx/limits'
import { readXlsx } from '@watchdesk/contract/xlsx/reader'
import type { StringStore } from '@watchdesk/contract/xlsx/shared-strings'
import type { AddRow } from './batch.ts'
import { openZip } from './zip.ts'

const MAX_STRING_BYTES = 800_000_000
/** Longer than any text of a cell. */
const BUFFER_BYTES = 1_048_576

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

/** Shared strings can be as large as the sheet, so they are kept in an unlinked temporary file. */
function createStringFile(path: string): StringStore & { close(): void } {
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  /** Where each string ends, and the next one begins. */
  const ends = new Uint32Array(XLSX_LIMITS.sharedStrings + 1)
  let count = 0
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  let unwritten = 0

  return { add, get, close: () => closeSync(file) }

  function add(text: string) {
    const bytes = Buffer.byteLength(text)
    const end = (ends[count] ?? 0) + bytes
    if (end > MAX_STRING_BYTES) throw new TableError(TABLE_MESSAGES.too_much_text)
    if (unwritten + bytes > BUFFER_BYTES) write()
    unwritten += buffer.write(text, unwritten)
    count += 1
    ends[count] = end
  }

  function write() {
    writeFileSync(file, buffer.subarray(0, unwritten))
    unwritten = 0
  }

  function get(index: number) {
    const [start, end] = [ends[index], ends[index + 1]]
    if (index >= count || start === undefined || end === undefined) return
    if (unwritten > 0) write()
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, end - start, start))
  }
}
