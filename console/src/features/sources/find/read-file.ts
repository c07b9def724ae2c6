import { createCsvReader } from '@watchdesk/contract/csv-reader'
import { sourceColumn } from '@watchdesk/contract/source-row'
import { encodingOf, NotUtf8, SLICE_BYTES, textOf } from '../../../ui/file-reader/decode.ts'

/** The text of a file. Of a CSV file with a column of addresses, only that column, one per line. */
export async function readAddressFile(file: File): Promise<string> {
  const text = await readText(file)
  if (!/\.csv$/i.test(file.name)) return text
  const rows: string[][] = []
  const reader = createCsvReader(({ cells }) => rows.push(cells))
  reader.write(text)
  reader.end()
  const [header = [], ...others] = rows
  const column = header.indexOf(sourceColumn(header, 'url') ?? '')
  if (column === -1) return text
  return others.map((cells) => cells[column] ?? '').join('\n')
}

async function readText(file: File) {
  const encoding = await encodingOf(file)
  try {
    return await join(textOf(file, encoding, SLICE_BYTES))
  } catch (error) {
    if (error instanceof NotUtf8) return join(textOf(file, 'windows-1251', SLICE_BYTES))
    throw error
  }
}

async function join(pieces: ReturnType<typeof textOf>) {
  let whole = ''
  for await (const { text } of pieces) whole += text
  return whole
}
