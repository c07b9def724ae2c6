import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { TableError } from '@watchdesk/contract/table-error'
import { type Progress, readCsv } from './csv.ts'
import { FileError, invalidFile } from './file-error.ts'
import { MAX_BYTES } from './limits.ts'
import type { Sink, TableKind } from './sink.ts'
import { readXlsx } from './xlsx.ts'

const READERS = { csv: readCsv, xlsx: readXlsx } as const

/** Gives the rows of a file to a sink, and the sink back; or a `FileError` that says why that was not possible. */
export async function readTableFile<S extends Sink>(
  file: File,
  sinkOf: (kind: TableKind) => S,
  progress: Progress = () => {},
): Promise<S> {
  const kind = /\.(csv|xlsx)$/i.exec(file.name)?.[1]?.toLowerCase() as TableKind | undefined
  if (!kind) throw new FileError(SOURCE_IMPORT_MESSAGES.wrong_type)
  if (file.size > MAX_BYTES[kind]) throw invalidFile(`It is larger than ${MAX_BYTES[kind] / 1024 ** 2} MB.`)
  try {
    return await READERS[kind](file, () => sinkOf(kind), progress)
  } catch (error) {
    if (error instanceof TableError) throw invalidFile(error.message)
    // The browser's own errors: the file is gone, or was changed after it was chosen.
    throw error instanceof DOMException ? invalidFile() : error
  }
}
