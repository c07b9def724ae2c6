import { FileError, invalidFile } from '@watchdesk/contract/file-error'
import { NOTHING_TO_IMPORT } from '@watchdesk/contract/source-row'
import { sourceTableReader } from '@watchdesk/contract/source-table'
import { TableError } from '@watchdesk/contract/table-error'
import { rowsOf } from '../../adapters/tables/rows.ts'
import type { TableKind } from '../../adapters/tables/tables.ts'
import { addRow, type CheckedPart, newSummary, type Summary, writtenReader } from './check-import.ts'

/** Reads and checks a file in a worker. Refuses the same files as the console, with the same messages. */
export async function* checkSourceFile(file: { path: string; kind: TableKind }): AsyncGenerator<CheckedPart> {
  const summary = newSummary()
  try {
    yield* readFile(file, summary)
  } catch (error) {
    const { message, reason } = asFileError(error)
    summary.refusal = { status: 422, detail: reason === undefined ? message : `${message} ${reason}` }
  }
  yield { summary }
}

async function* readFile({ path, kind }: { path: string; kind: TableKind }, summary: Summary) {
  let lines: string[] = []
  let written: ReturnType<typeof writtenReader> | undefined
  const reader = sourceTableReader(kind, (cells, row, { keys }) => {
    written ??= writtenReader(keys)
    lines.push(addRow(summary, row, written.read(cells)))
  })
  for await (const batch of rowsOf(path, kind)) {
    for (const { row, cells, width, hasStoredBlanks } of batch) reader.add(cells, row, width, hasStoredBlanks)
    if (lines.length > 0) yield { lines: Buffer.from(lines.join('')), rows: summary.rows }
    lines = []
  }
  const { keys } = reader.finish()
  if (summary.rows === 0) throw new FileError(NOTHING_TO_IMPORT.file.no_rows)
  if (!writtenReader(keys).hasUrl) throw new FileError(NOTHING_TO_IMPORT.file.no_url_column)
}

function asFileError(error: unknown) {
  if (error instanceof FileError) return error
  if (error instanceof TableError) return invalidFile(error.message)
  throw error
}
