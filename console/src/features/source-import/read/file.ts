import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import-messages'
import type { Table } from './collector.ts'
import { type Progress, readCsv } from './csv.ts'
import { MAX_BYTES } from './limits.ts'
import { readingFailed, Unreadable } from './unreadable.ts'
import { readXlsx } from './xlsx.ts'

const READERS = { csv: readCsv, xlsx: readXlsx } as const

/** The records of a file, or an `Unreadable` that says why it has none. */
export async function readTable(file: File, progress: Progress = () => {}): Promise<Table> {
  const kind = /\.(csv|xlsx)$/i.exec(file.name)?.[1]?.toLowerCase() as keyof typeof READERS | undefined
  if (!kind) throw new Unreadable(SOURCE_IMPORT_MESSAGES.wrong_type)
  if (file.size > MAX_BYTES[kind]) throw readingFailed(`It is larger than ${MAX_BYTES[kind] / 1024 ** 2} MB.`)
  try {
    return await READERS[kind](file, progress)
  } catch (error) {
    // Also when the file has gone or changed since it was chosen.
    throw error instanceof Unreadable ? error : readingFailed()
  }
}
