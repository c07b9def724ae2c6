import { open } from 'node:fs/promises'
import { FileError, invalidFile } from '@watchdesk/contract/file-error'
import { NOTHING_TO_IMPORT, sourceColumns, writtenText } from '@watchdesk/contract/source-row'
import { sourceTableReader } from '@watchdesk/contract/source-table'
import { TableError } from '@watchdesk/contract/table-error'
import { rowsOf } from '../../adapters/tables/rows.ts'
import type { TableKind } from '../../adapters/tables/tables.ts'

export type SourceFile = {
  path: string
  kind: TableKind
  /** Where the rows are written to, like by `spoolSheet`. */
  rows: string
}

/** The number of rows so far; at the end, why nothing can be imported, if so. */
export type SourceFilePart = { rows: number } | { refusal: string }

/**
 * Writes the two relevant columns of a file to another file, to be checked from there. Runs in a worker. Refuses the same
 * files as the console, with the same messages.
 */
export async function* spoolFile(source: SourceFile): AsyncGenerator<SourceFilePart> {
  try {
    yield* readFile(source)
  } catch (error) {
    const { message, reason } = asFileError(error)
    yield { refusal: reason === undefined ? message : `${message} ${reason}` }
  }
}

async function* readFile({ path, kind, rows }: SourceFile): AsyncGenerator<SourceFilePart> {
  let lines: string[] = []
  let places: { url: number; country: number } | undefined
  const reader = sourceTableReader(kind, (cells, row, { keys }) => {
    places ??= placesIn(keys)
    const text = (place: number, what: 'link' | 'country') => writtenText(String(cells[place] ?? ''), what)
    lines.push(`${JSON.stringify([row, text(places.url, 'link'), text(places.country, 'country')])}\n`)
  })
  const file = await open(rows, 'wx', 0o600)
  try {
    for await (const batch of rowsOf(path, kind, { hasWidth: true })) {
      for (const { row, cells, width = cells.length, hasStoredBlanks } of batch)
        reader.add(cells, row, width, hasStoredBlanks)
      await file.appendFile(lines.join(''))
      lines = []
      yield { rows: reader.count() }
    }
  } finally {
    await file.close()
  }
  const { keys, count } = reader.finish()
  if (count === 0) yield { refusal: NOTHING_TO_IMPORT.file.no_rows }
  else if (placesIn(keys).url === -1) yield { refusal: NOTHING_TO_IMPORT.file.no_url_column }
}

function placesIn(keys: (string | undefined)[]) {
  const columns = sourceColumns(keys.filter((key) => key !== undefined))
  return { url: keys.indexOf(columns?.url ?? ''), country: keys.indexOf(columns?.country ?? '') }
}

function asFileError(error: unknown) {
  if (error instanceof FileError) return error
  if (error instanceof TableError) return invalidFile(error.message)
  throw error
}
