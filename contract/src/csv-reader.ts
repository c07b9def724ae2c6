import { parseCsv } from './csv-parser.ts'
import { MAX_ROW_LENGTH } from './limits.ts'

type OnRow = Parameters<typeof parseCsv>[1]

/** Reads a CSV file in chunks. Excel's first line `sep=;` sets the separator and is not a row. */
export function createCsvReader(onRow: OnRow) {
  let parser: ReturnType<typeof parseCsv> | undefined
  let start = ''
  let enough = 0

  function write(piece: string, isEnd: boolean) {
    if (parser) return parser.write(piece)
    start += piece
    const isWhole = isEnd || start.length >= MAX_ROW_LENGTH
    if (!isWhole && start.length < enough) return
    // An incomplete header is checked again only when twice as much text has arrived.
    enough = 2 * start.length
    const dialect = dialectOf(start, isWhole)
    if (!dialect) return
    parser = parseCsv(dialect.delimiter, onRow)
    parser.write(dialect.rest)
    start = ''
  }

  return {
    write: (piece: string) => write(piece, false),
    end() {
      write('', true)
      parser?.end()
    },
  }
}

/** Without a line `sep=`, the most frequent separator outside quotes. Undefined until the header is complete. */
function dialectOf(text: string, isWhole: boolean): { delimiter: string; rest: string } | undefined {
  const [line = '', delimiter] = /^"?sep=([^\r\n"])"?[,;\t]*(?:\r\n|\r|\n|$)/i.exec(text) ?? []
  if (delimiter !== undefined) {
    // A line feed may follow a carriage return at the end.
    const isCompleteLine = isWhole || line.length < text.length || line.endsWith('\n')
    return isCompleteLine ? { delimiter, rest: text.slice(line.length) } : undefined
  }
  const counts = new Map([',', ';', '\t'].map((each) => [each, 0]))
  let isQuoted = false
  let hasText = false
  let isComplete = isWhole
  for (const character of text) {
    const count = isQuoted ? undefined : counts.get(character)
    if (character === '"') isQuoted = !isQuoted
    else if (count !== undefined) counts.set(character, count + 1)
    else if (character.trim() !== '') hasText = true
    else if (hasText && !isQuoted && (character === '\n' || character === '\r')) {
      isComplete = true
      break
    }
  }
  if (!isComplete) return
  const [most] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))
  return { delimiter: most, rest: text }
}
