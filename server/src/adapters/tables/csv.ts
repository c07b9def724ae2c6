import { createBatch } from './batch.ts'
import { parseCsv } from './csv-parser.ts'
import { textOf } from './encoding.ts'
import { LIMITS, type TableRow } from './tables.ts'

/** Rows of a CSV file. A row is a row as a spreadsheet shows it: line breaks within quotes make no new one. */
export async function* csvRows(path: string): AsyncGenerator<TableRow[]> {
  const chunks = textOf(path)
  const { start, delimiter } = await readStart(chunks)
  const batch = createBatch()
  const parser = parseCsv(delimiter, batch.add)
  parser.write(start)
  yield* batch.full()
  for await (const chunk of chunks) {
    parser.write(chunk)
    yield* batch.full()
  }
  parser.end()
  yield* batch.rest()
}

/** The text up to the end of the header at least, and what separates the names in it. */
async function readStart(chunks: AsyncGenerator<string>) {
  const header = createHeaderScan()
  let start = ''
  while (start.length < LIMITS.rowLength) {
    const { value, done } = await chunks.next()
    if (done) break
    start += value
    if (header.isComplete(value)) break
  }
  const told = /^"?sep=([^"])"?(\r\n|\n|\r|$)/i.exec(start.slice(0, 20))
  if (told?.[1]) return { start: start.slice(told[0].length), delimiter: told[1] }
  return { start, delimiter: header.delimiter() }
}

/** Counts what could be the separator, outside quotes, up to the end of the first line. */
function createHeaderScan() {
  const counts = new Map([
    [',', 0],
    [';', 0],
    ['\t', 0],
  ])
  let isQuoted = false
  return {
    isComplete(piece: string) {
      for (const character of piece) {
        if (character === '"') isQuoted = !isQuoted
        else if (!isQuoted) {
          if (character === '\n' || character === '\r') return true
          const count = counts.get(character)
          if (count !== undefined) counts.set(character, count + 1)
        }
      }
      return false
    },
    /** The most frequent; a comma when there is none. */
    delimiter: () => [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0],
  }
}
