import { Parser } from 'papaparse'
import { encodingOf, NotUtf8, SLICE_BYTES, textOf } from './decode.ts'
import type { Sink } from './sink.ts'
import { readingFailed } from './unreadable.ts'

/** Told now and then: how much of the file is read, where that is known, and how many records that gave. */
export type Progress = (part: number | undefined, records: number) => void

type Parsed = { data: string[][]; errors: { row: number }[]; meta: { cursor: number } }

/** Bytes that turn out to be of another encoding are read a second time, into a new sink. */
export async function readCsv<S extends Sink>(
  file: Blob,
  sinkOf: () => S,
  progress: Progress,
  sliceBytes = SLICE_BYTES,
): Promise<S> {
  if (await isOtherKind(file)) throw readingFailed('It is not a CSV file, whatever its name says.')
  const encoding = await encodingOf(file)
  try {
    return await parse(textOf(file, encoding, sliceBytes), file.size, sinkOf(), progress)
  } catch (error) {
    if (error instanceof NotUtf8) return parse(textOf(file, 'windows-1251', sliceBytes), file.size, sinkOf(), progress)
    throw error
  }
}

async function parse<S extends Sink>(pieces: ReturnType<typeof textOf>, size: number, sink: S, progress: Progress) {
  let parser: Parser | undefined
  let text = ''
  let row = 0
  let enough = 0
  for await (const piece of pieces) {
    const isLast = piece.read === size
    text += piece.text
    if (!isLast && text.length < enough) continue
    // A header or a row longer than a slice is not tried again at every slice.
    enough = 2 * text.length
    if (!parser) {
      const dialect = dialectOf(text, isLast)
      if (!dialect) continue
      parser = new Parser({ delimiter: dialect.delimiter, newline: '\n' })
      text = dialect.rest
    }
    const { data, errors, meta }: Parsed = parser.parse(text, 0, !isLast)
    // Errors of a row that is not whole yet come again, or not, when it is.
    const wrong = errors.find((error) => error.row < data.length)
    if (wrong) throw readingFailed(`The quotes in row ${row + wrong.row + 1} do not match.`)
    for (const cells of data) {
      row += 1
      sink.add(cells, row)
    }
    if (meta.cursor > 0) enough = 0
    text = text.slice(meta.cursor)
    progress(piece.read / size, sink.count())
  }
  return sink
}

/** Starts as an archive (.xlsx, .ods, .zip) or an old Office file does. */
async function isOtherKind(file: Blob) {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  const magic = bytes.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
  return magic === '504b0304' || magic === 'd0cf11e0'
}

const DELIMITERS = [',', ';', '\t'] as const

/**
 * Excel's own first line `sep=;` counts; otherwise the separator that the header has most of, outside its quotes.
 * Nothing as long as the header is not whole.
 */
function dialectOf(text: string, isWhole: boolean): { delimiter: string; rest: string } | undefined {
  const [line = '', named] = /^"?sep=([^\n"])"?[,;\t]*(?:\n|$)/i.exec(text) ?? []
  if (named !== undefined && (isWhole || line.endsWith('\n'))) {
    return { delimiter: named, rest: text.slice(line.length) }
  }
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  let hasText = false
  let isOver = false
  for (const character of text) {
    const count = isQuoted ? undefined : counts.get(character)
    if (character === '"') isQuoted = !isQuoted
    else if (count !== undefined) counts.set(character, count + 1)
    else if (character.trim() !== '') hasText = true
    isOver = hasText && !isQuoted && character === '\n'
    if (isOver) break
  }
  if (!isOver && !isWhole) return
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return { delimiter: most?.[1] ? most[0] : ',', rest: text }
}
