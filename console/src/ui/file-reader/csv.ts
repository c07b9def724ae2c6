import { createCsvReader } from '@watchdesk/contract/csv-reader'
import { encodingOf, NotUtf8, SLICE_BYTES, textOf } from './decode.ts'
import { invalidFile } from './file-error.ts'
import type { Sink } from './sink.ts'

/** Told now and then: how much of the file is read, where that is known, and how many records that gave. */
export type Progress = (part: number | undefined, records: number) => void

/** Bytes that turn out to be of another encoding are read a second time, into a new sink. */
export async function readCsv<S extends Sink>(
  file: Blob,
  sinkOf: () => S,
  progress: Progress,
  sliceBytes = SLICE_BYTES,
): Promise<S> {
  if (await isOtherKind(file)) throw invalidFile('It has the extension .csv but is not a CSV file.')
  const encoding = await encodingOf(file)
  try {
    return await parse(textOf(file, encoding, sliceBytes), file.size, sinkOf(), progress)
  } catch (error) {
    if (error instanceof NotUtf8) return parse(textOf(file, 'windows-1251', sliceBytes), file.size, sinkOf(), progress)
    throw error
  }
}

async function parse<S extends Sink>(pieces: ReturnType<typeof textOf>, size: number, sink: S, progress: Progress) {
  const reader = createCsvReader(({ row, cells }) => sink.add(cells, row))
  for await (const piece of pieces) {
    reader.write(piece.text)
    progress(piece.read / size, sink.count())
  }
  reader.end()
  return sink
}

/** Starts as an archive (.xlsx, .ods, .zip) or an old Office file does. */
async function isOtherKind(file: Blob) {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  const magic = bytes.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
  return magic === '504b0304' || magic === 'd0cf11e0'
}
