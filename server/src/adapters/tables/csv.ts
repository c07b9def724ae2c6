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
  let start = ''
  while (start.length < LIMITS.rowLength && !/[\r\n]/.test(unquoted(start))) {
    const { value, done } = await chunks.next()
    if (done) break
    start += value
  }
  const told = /^"?sep=([^"])"?(\r\n|\n|\r|$)/i.exec(start.slice(0, 20))
  if (told?.[1]) return { start: start.slice(told[0].length), delimiter: told[1] }
  return { start, delimiter: delimiterOf(/^[^\r\n]*/.exec(unquoted(start))?.[0] ?? '') }
}

/** What stands outside quotes; a quote that is still open takes the rest with it. */
function unquoted(text: string) {
  return text.replace(/"[^"]*("|$)/g, '')
}

/** The one that stands most often in the header; a comma when none does. */
function delimiterOf(header: string) {
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).delimiter
}
