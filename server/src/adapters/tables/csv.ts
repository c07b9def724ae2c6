import { type CsvError, type Parser, parse } from 'csv-parse'
import { createBatch } from './batch.ts'
import { utf8Of } from './encoding.ts'
import { LIMITS, TableError, type TableRow } from './tables.ts'

/** Rows of a CSV file. A row is a row as a spreadsheet shows it: line breaks within quotes make no new one. */
export async function* csvRows(path: string): AsyncGenerator<TableRow[]> {
  const chunks = utf8Of(path)
  const { start, delimiter } = await readStart(chunks)
  const batch = createBatch()
  let row = 0
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LIMITS.rowLength,
    on_record: (cells: string[]) => {
      row += 1
      batch.add({ row, cells })
      // Taken here, so that the parser keeps none for whoever would read it as a stream.
      return null
    },
  })
  const failure = new Promise<never>((_, reject) => parser.on('error', reject))
  // Whoever waits for it hears of it; nobody has to.
  failure.catch(() => {})
  try {
    await Promise.race([failure, write(parser, start)])
    yield* batch.full()
    for await (const chunk of chunks) {
      await Promise.race([failure, write(parser, chunk)])
      yield* batch.full()
    }
    await Promise.race([failure, finish(parser)])
    yield* batch.rest()
  } catch (error) {
    throw asTableError(error as CsvError, row + 1)
  }
}

function write(parser: Parser, chunk: Buffer) {
  return new Promise<void>((resolve, reject) => {
    parser.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}

function finish(parser: Parser) {
  return new Promise<void>((resolve) => {
    parser.on('end', resolve).resume().end()
  })
}

/** The bytes up to the end of the header, and what separates its names. */
async function readStart(chunks: AsyncGenerator<Buffer>) {
  let start: Buffer = Buffer.alloc(0)
  while (start.length < LIMITS.rowLength) {
    const { value, done } = await chunks.next()
    if (done) break
    start = Buffer.concat([start, value])
    if (endOfLine(start, 0) < start.length) break
  }
  const told = /^"?sep=(.)"?\r?\n?/i.exec(start.toString('utf8', 0, 16))
  if (told) return { start: start.subarray(Buffer.byteLength(told[0])), delimiter: told[1] ?? ',' }
  return { start, delimiter: delimiterOf(start.subarray(0, endOfLine(start, 0))) }
}

const [QUOTE, CR, LF] = [0x22, 0x0d, 0x0a]

function endOfLine(bytes: Buffer, from: number) {
  let isQuoted = false
  for (let index = from; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (byte === QUOTE) isQuoted = !isQuoted
    else if (!isQuoted && (byte === LF || byte === CR)) return index
  }
  return bytes.length
}

/** The one that stands most often outside quotes; a comma when none does. */
function delimiterOf(header: Buffer) {
  const bare = header.toString().replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }))
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).delimiter
}

function asTableError(error: CsvError, row: number) {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new TableError(`Row ${row}: a quotation mark is opened and never closed.`)
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new TableError(`Row ${row} is longer than a row can be. A quotation mark may be missing its partner.`)
  }
  if (error.code?.startsWith('CSV_')) return new TableError(`Row ${row} is not valid CSV.`)
  return error
}
