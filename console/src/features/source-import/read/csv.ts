import { Parser } from 'papaparse'
import { collector, type Table } from './collector.ts'
import { encodingOf, NotUtf8, textOf } from './decode.ts'
import { readingFailed } from './unreadable.ts'

/** Told now and then: how much of the file is read, where that is known, and how many records that gave. */
export type Progress = (part: number | undefined, records: number) => void

type Parsed = { data: string[][]; errors: { row: number }[]; meta: { cursor: number } }

export async function readCsv(file: Blob, progress: Progress): Promise<Table> {
  if (await isOtherKind(file)) throw readingFailed('It is not a CSV file, whatever its name says.')
  const encoding = await encodingOf(file)
  try {
    return await parse(file, encoding, progress)
  } catch (error) {
    if (error instanceof NotUtf8) return parse(file, 'windows-1251', progress)
    throw error
  }
}

async function parse(file: Blob, encoding: Parameters<typeof textOf>[1], progress: Progress) {
  const table = collector('csv')
  let parser: Parser | undefined
  let text = ''
  let row = 0
  let enough = 0
  for await (const piece of textOf(file, encoding)) {
    const isLast = piece.read === file.size
    text += piece.text
    if (!parser) {
      const { delimiter, rest } = dialectOf(text)
      parser = new Parser({ delimiter, newline: '\n' })
      text = rest
    }
    if (!isLast && text.length < enough) continue
    const { data, errors, meta }: Parsed = parser.parse(text, 0, !isLast)
    // Errors of a row that is not whole yet come again, or not, when it is.
    const wrong = errors.find((error) => error.row < data.length)
    if (wrong) throw readingFailed(`The quotes in row ${row + wrong.row + 1} do not match.`)
    for (const cells of data) {
      row += 1
      table.add(cells, row)
    }
    // A row longer than a slice is not tried again at every slice.
    enough = meta.cursor === 0 ? 2 * text.length : 0
    text = text.slice(meta.cursor)
    progress(piece.read / file.size, table.count())
  }
  return table.finish()
}

/** Starts as an archive (.xlsx, .ods, .zip) or an old Office file does. */
async function isOtherKind(file: Blob) {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  const magic = bytes.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
  return magic === '504b0304' || magic === 'd0cf11e0'
}

const DELIMITERS = [',', ';', '\t'] as const

/** Excel's own first line `sep=;` counts; otherwise the separator that the header has most of, outside its quotes. */
export function dialectOf(text: string): { delimiter: string; rest: string } {
  const [line = '', named] = /^"?sep=([^\n"])"?[,;\t]*(?:\n|$)/i.exec(text) ?? []
  if (named !== undefined) return { delimiter: named, rest: text.slice(line.length) }
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  let hasText = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    const count = isQuoted ? undefined : counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
    else if (character === '\n' && !isQuoted) {
      if (hasText) break
    } else if (character.trim() !== '') hasText = true
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return { delimiter: most?.[1] ? most[0] : ',', rest: text }
}
