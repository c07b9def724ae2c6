import { createCsvReader } from '@watchdesk/contract/csv-reader'
import { encodingOf, NotUtf8, SLICE_BYTES, textOf } from './decode.ts'
import type { Sink } from './sink.ts'

/** Reports progress: the part of the file that has been read, if known, and the number of records so far. */
export type Progress = (part: number | undefined, records: number) => void

/** If the bytes turn out to have another encoding, they are read again into a new sink. */
export async function readCsv<S extends Sink>(
  file: Blob,
  sinkOf: () => S,
  progress: Progress,
  sliceBytes = SLICE_BYTES,
): Promise<S> {
  const encoding = await encodingOf(file)
  try {
    return await parse(textOf(file, encoding, sliceBytes), file.size, sinkOf(), progress)
  } catch (error) {
    if (error instanceof NotUtf8) return parse(textOf(file, 'windows-1251', sliceBytes), file.size, sinkOf(), progress)
    throw error
  }
}

async function parse<S extends Sink>(pieces: ReturnType<typeof textOf>, size: number, sink: S, progress: Progress) {
  const reader = createCsvReader(({ row, cells }) => sink.add(cells, row, cells.length))
  for await (const piece of pieces) {
    reader.write(piece.text)
    progress(piece.read / size, sink.count())
  }
  reader.end()
  return sink
}
