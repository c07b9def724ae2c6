import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { TableError } from '@watchdesk/contract/table-error'
import { type Progress, readCsv } from './csv.ts'
import { MAX_BYTES } from './limits.ts'
import type { Sink, TableKind } from './sink.ts'
import { readXlsxFile } from './xlsx.ts'

const READERS = { csv: readCsv, xlsx: readXlsxFile } as const

/** Reads the rows of a file into a sink and returns it; throws a `TableError` if the file cannot be read. */
export async function readTableFile<S extends Sink>(
  file: File,
  sinkOf: (kind: TableKind) => S,
  progress: Progress = () => {},
): Promise<S> {
  const kind = /\.(csv|xlsx)$/i.exec(file.name)?.[1]?.toLowerCase() as TableKind | undefined
  if (!kind) throw new TableError(SOURCE_IMPORT_MESSAGES.wrong_type, true)
  if (file.size > MAX_BYTES[kind]) throw new TableError(`It is larger than ${MAX_BYTES[kind] / 1024 ** 2} MB.`)
  try {
    return await READERS[kind](file, () => sinkOf(kind), progress)
  } catch (error) {
    // Errors of the browser: the file was deleted, or changed after it was chosen.
    throw error instanceof DOMException ? new TableError(SOURCE_IMPORT_MESSAGES.reading_failed, true) : error
  }
}
