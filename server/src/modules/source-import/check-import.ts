import { open } from 'node:fs/promises'
import type { Platform } from '@watchdesk/contract/enums'
import { MAX_ROWS } from '@watchdesk/contract/limits'
import type { RowRange } from '@watchdesk/contract/row-ranges'
import { faultIn, INVALID_RECORD, type SheetRecord } from '@watchdesk/contract/source-import'
import {
  type RowOutcome,
  readSource,
  sourceColumn,
  sourceColumns,
  type WrittenSource,
  writtenIn,
  writtenText,
} from '@watchdesk/contract/source-row'
import { tooManyRows } from '@watchdesk/contract/table-error'
import { copyText } from '../../db/copy-text.ts'
import { writable } from '../../db/writable.ts'
import { decodedUtf8, isNotUtf8 } from '../../read-chunks.ts'
import { sourceChecksum } from '../../row-checksums.ts'
import { BodyError, createRecordSplitter } from './split-records.ts'

/** The input to check: the body of an import, or the rows of a sheet written by `spool.ts`. */
export type CheckInput = {
  path: string
  kind: 'body' | 'rows'
  platform?: Platform | undefined
  /** The row numbers of the records of a body. Without them, the first one is row 2. */
  numbers?: RowRange[] | undefined
}

export type Summary = {
  rows: number
  /** The number of rows with a source, repeated ones included. */
  valid: number
  /** Of the sources in these rows: see `checksum.ts`. */
  checksum: number
  /** Whether the column of the addresses was found. */
  hasUrl: boolean
  /** The body without its records. */
  body?: unknown
  /** The position and message of the first invalid record. */
  fault?: { path: (string | number)[]; message: string }
  /** Why the body or the file could not be read. */
  refusal?: { status: number; detail: string }
}

/** Lines for COPY into the table created in `stage.ts`, with the number of rows so far, followed by a summary. */
export type CheckedPart = { lines: Uint8Array; rows: number } | { summary: Summary }

export function newSummary(): Summary {
  return { rows: 0, valid: 0, checksum: 0, hasUrl: true }
}

type Columns = { url?: string | undefined; country?: string | undefined }

/** Reads and checks an import as a stream, so that memory stays bounded. Large imports run in a worker. */
export async function* checkImport({ path, kind, platform, numbers }: CheckInput): AsyncGenerator<CheckedPart> {
  const summary = newSummary()
  try {
    yield* kind === 'body' ? checkBody(path, numbers, summary) : checkRows(path, platform, summary)
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    summary.refusal = { status: error.status, detail: error.message }
  }
  yield { summary }
}

async function* checkBody(
  path: string,
  numbers: RowRange[] | undefined,
  summary: Summary,
): AsyncGenerator<CheckedPart> {
  const rows = numbering(numbers)
  const splitter = createRecordSplitter()
  let columns: Columns = {}
  for await (const text of textOf(path)) {
    for (const records of splitter.write(text)) {
      const lines: string[] = []
      for (const record of records) {
        const fault = faultIn(record)
        if (fault) {
          summary.fault = { path: ['sheet_records', summary.rows, ...fault], message: INVALID_RECORD }
          return
        }
        columns = withColumnsOf(record as SheetRecord, columns)
        if (summary.rows === MAX_ROWS) throw new BodyError(422, tooManyRows().message)
        lines.push(addRow(summary, rows.next(), writtenIn(record as SheetRecord, columns)))
      }
      if (lines.length > 0) yield { lines: Buffer.from(lines.join('')), rows: summary.rows }
    }
  }
  summary.body = splitter.end()
  rows.end()
  summary.hasUrl = columns.url !== undefined
}

/** Records have no row numbers of their own. */
function numbering(ranges: RowRange[] = [[2, Number.POSITIVE_INFINITY]]) {
  let place = 0
  let number = (ranges[0]?.[0] ?? 0) - 1
  const mismatch = () => new BodyError(422, 'The number of row numbers differs from the number of records.')
  return {
    next() {
      if (number === ranges[place]?.[1]) {
        place += 1
        number = (ranges[place]?.[0] ?? 0) - 1
      }
      if (place === ranges.length) throw mismatch()
      number += 1
      return number
    },
    end() {
      const last = ranges.at(-1)?.[1]
      if (last !== Number.POSITIVE_INFINITY && number !== last) throw mismatch()
    },
  }
}

/** Uses the first matching column name. Records before it have no value in that column. */
function withColumnsOf(record: SheetRecord, known: Columns): Columns {
  if (known.url !== undefined && known.country !== undefined) return known
  const names = Object.keys(record)
  return { url: known.url ?? sourceColumn(names, 'url'), country: known.country ?? sourceColumn(names, 'country') }
}

/** Reads the two relevant columns of a table. By index, because header names can be arbitrary and repeated. */
export function writtenReader(names: (string | undefined)[]) {
  const columns = sourceColumns(names.filter((name) => name !== undefined))
  const place = (name: string | undefined) => (name === undefined ? -1 : names.indexOf(name))
  const [url, country] = [place(columns?.url), place(columns?.country)]
  return {
    hasUrl: columns !== undefined,
    read: (cells: readonly unknown[]): WrittenSource => ({
      url: writtenText(String(cells[url] ?? ''), 'link'),
      country: writtenText(String(cells[country] ?? ''), 'country'),
    }),
  }
}

async function* checkRows(path: string, platform: Platform | undefined, summary: Summary): AsyncGenerator<CheckedPart> {
  let text = ''
  for await (const piece of textOf(path)) {
    const end = piece.lastIndexOf('\n')
    if (end === -1) {
      text += piece
      continue
    }
    const rows: [number, WrittenSource][] = JSON.parse(`[${(text + piece.slice(0, end)).replaceAll('\n', ',')}]`)
    text = piece.slice(end + 1)
    const lines = rows.map(([row, written]) => addRow(summary, row, written, platform))
    yield { lines: Buffer.from(lines.join('')), rows: summary.rows }
  }
}

async function* textOf(path: string) {
  const file = await open(path)
  try {
    yield* decodedUtf8(file)
  } catch (error) {
    throw isNotUtf8(error) ? new BodyError(400, 'The body is not valid UTF-8.') : error
  } finally {
    await file.close()
  }
}

/** Counts a row, and returns its line. Only what the user wrote, and addresses, can contain characters to escape. */
export function addRow(summary: Summary, number: number, written: WrittenSource, platform?: Platform) {
  summary.rows += 1
  const source = readSource(written, platform)
  const input = `${summary.rows}\t${number}\t${copyText(writable(written.url))}\t${copyText(writable(written.country))}`
  if (typeof source === 'string') return `${input}\t\\N\t\\N\t\\N\t${source}\n`
  summary.valid += 1
  summary.checksum += sourceChecksum(source)
  const outcome: RowOutcome = 'requested'
  return `${input}\t${source.platform}\t${copyText(source.url)}\t${source.country ?? '\\N'}\t${outcome}\n`
}
