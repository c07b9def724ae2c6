import { type FileHandle, open } from 'node:fs/promises'
import { createCsvReader } from '@watchdesk/contract/csv-reader'
import { checkStart, checkText, utf16Of } from '@watchdesk/contract/utf16'
import { decoded, decodedUtf8, isNotUtf8 } from '../../read-chunks.ts'
import { type AddRow, createBatch } from './batch.ts'
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

/** Decodes a file, whatever its encoding, and removes the byte order mark. */
async function* textOf(path: string): AsyncGenerator<string> {
  const file = await open(path)
  try {
    for await (const text of decoded(file, new TextDecoder(await encodingOf(file)))) {
      checkText(text)
      yield text
    }
  } finally {
    await file.close()
  }
}

/** Detected by the byte order mark, the zero bytes of UTF-16, or valid UTF-8 throughout; otherwise Windows-1251. */
async function encodingOf(file: FileHandle) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
  const start = buffer.subarray(0, bytesRead)
  checkStart(start)
  return utf16Of(start) ?? ((await isAllUtf8(file)) ? 'utf-8' : 'windows-1251')
}

async function isAllUtf8(file: FileHandle) {
  try {
    for await (const _ of decodedUtf8(file));
    return true
  } catch (error) {
    if (isNotUtf8(error)) return false
    throw error
  }
}
