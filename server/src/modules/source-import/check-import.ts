import type { Platform } from '@watchdesk/contract/enums'
import type { RowRange } from '@watchdesk/contract/row-ranges'
import { fileProblem } from '@watchdesk/contract/source-import'
import { type RowOutcome, readSource } from '@watchdesk/contract/source-row'
import { TableError } from '@watchdesk/contract/table-error'
import type { TableKind } from '../../adapters/tables/tables.ts'
import { copyText } from '../../db/copy-text.ts'
import { writable } from '../../db/writable.ts'
import { Problem } from '../../problem.ts'
import { isNotUtf8 } from '../../read-chunks.ts'
import { sourceChecksum } from '../../row-checksums.ts'
import { type BodyFacts, bodyRows, fileRows, sheetRows, type WrittenRow } from './read-rows.ts'

/** The input to check: the body of an import, the rows of a sheet written by `spool.ts`, or a file. */
export type CheckInput = {
  path: string
  kind: 'body' | 'rows' | TableKind
  platform?: Platform | undefined
  numbers?: RowRange[] | undefined
}

export type Summary = BodyFacts & {
  rows: number
  /** The number of rows with a source, repeated ones included. */
  valid: number
  checksum: number
  refusal?: { status: number; detail: string }
}

/** Lines for COPY into the table created in `stage.ts`, with the number of rows so far, followed by a summary. */
export type CheckedPart = { lines: Uint8Array; rows: number } | { summary: Summary }

/** Reads and checks an import as a stream, so that memory stays bounded. Files and large bodies are read in a worker. */
export async function* checkImport(input: CheckInput): AsyncGenerator<CheckedPart> {
  const summary: Summary = { rows: 0, valid: 0, checksum: 0, hasUrl: true }
  try {
    for await (const rows of rowsIn(input, summary)) {
      const lines = rows.map((row) => lineOf(summary, row, input.platform))
      if (lines.length > 0) yield { lines: Buffer.from(lines.join('')), rows: summary.rows }
    }
  } catch (error) {
    summary.refusal = refusalOf(error)
  }
  yield { summary }
}

function rowsIn({ path, kind, numbers }: CheckInput, summary: Summary) {
  if (kind === 'body') return bodyRows(path, numbers, summary)
  return kind === 'rows' ? sheetRows(path) : fileRows(path, kind)
}

/** Counts a row, and returns its line. Only what the user wrote, and addresses, can contain characters to escape. */
function lineOf(summary: Summary, [number, written]: WrittenRow, platform?: Platform) {
  summary.rows += 1
  const source = readSource(written, platform)
  const input = `${summary.rows}\t${number}\t${copyText(writable(written.url))}\t${copyText(writable(written.country))}`
  if (typeof source === 'string') return `${input}\t\\N\t\\N\t\\N\t${source}\n`
  summary.valid += 1
  summary.checksum += sourceChecksum(source)
  const outcome: RowOutcome = 'requested'
  return `${input}\t${source.platform}\t${copyText(source.url)}\t${source.country ?? '\\N'}\t${outcome}\n`
}

function refusalOf(error: unknown) {
  if (error instanceof Problem) return { status: error.status, detail: error.message }
  if (isNotUtf8(error)) return { status: 400, detail: 'The body is not valid UTF-8.' }
  if (!(error instanceof TableError)) throw error
  const { message, reason } = fileProblem(error)
  return { status: 422, detail: reason === undefined ? message : `${message} ${reason}` }
}
