import { open } from 'node:fs/promises'
import { MAX_ROWS } from '@watchdesk/contract/limits'
import type { RowRange } from '@watchdesk/contract/row-ranges'
import { faultIn, INVALID_RECORD, type SheetRecord } from '@watchdesk/contract/source-import'
import {
  NOTHING_TO_IMPORT,
  sourceColumn,
  sourceColumns,
  type WrittenSource,
  writtenIn,
  writtenText,
} from '@watchdesk/contract/source-row'
import { sourceTableReader } from '@watchdesk/contract/source-table'
import { TABLE_MESSAGES, TableError } from '@watchdesk/contract/table-error'
import { rowsOf } from '../../adapters/tables/rows.ts'
import type { TableKind } from '../../adapters/tables/tables.ts'
import { Problem } from '../../problem.ts'
import { decodedUtf8 } from '../../read-chunks.ts'
import { createRecordSplitter } from './split-records.ts'

export type WrittenRow = [number: number, written: WrittenSource]

export type BodyFacts = {
  hasUrl: boolean
  /** The body without its records. */
  body?: unknown
  fault?: { path: (string | number)[]; message: string }
}

/** The records of the body of an import. Without row numbers, the first one is row 2. */
export async function* bodyRows(path: string, ranges: RowRange[] | undefined, facts: BodyFacts) {
  const numbers = numbersIn(ranges ?? [[2, Number.POSITIVE_INFINITY]])
  const mismatch = () => new Problem(422, 'The number of row numbers differs from the number of records.')
  const splitter = createRecordSplitter()
  let columns: Columns = {}
  let count = 0
  for await (const text of textOf(path)) {
    for (const records of splitter.write(text)) {
      const rows: WrittenRow[] = []
      for (const record of records) {
        const fault = faultIn(record)
        if (fault) {
          facts.fault = { path: ['sheet_records', count, ...fault], message: INVALID_RECORD }
          return
        }
        columns = withColumnsOf(record as SheetRecord, columns)
        if (count === MAX_ROWS) throw new Problem(422, TABLE_MESSAGES.too_many_rows)
        count += 1
        const { value: number } = numbers.next()
        if (number === undefined) throw mismatch()
        rows.push([number, writtenIn(record as SheetRecord, columns)])
      }
      yield rows
    }
  }
  facts.body = splitter.end()
  if (ranges && !numbers.next().done) throw mismatch()
  facts.hasUrl = columns.url !== undefined
}

function* numbersIn(ranges: RowRange[]): Generator<number, undefined> {
  for (const [first, last] of ranges) for (let number = first; number <= last; number += 1) yield number
}

type Columns = { url?: string | undefined; country?: string | undefined }

/** Uses the first matching column name. Records before it have no value in that column. */
function withColumnsOf(record: SheetRecord, known: Columns): Columns {
  if (known.url !== undefined && known.country !== undefined) return known
  const names = Object.keys(record)
  return { url: known.url ?? sourceColumn(names, 'url'), country: known.country ?? sourceColumn(names, 'country') }
}

/** The rows of a sheet, as `spool.ts` has written them. */
export async function* sheetRows(path: string): AsyncGenerator<WrittenRow[]> {
  let text = ''
  for await (const piece of textOf(path)) {
    const end = piece.lastIndexOf('\n')
    if (end === -1) {
      text += piece
      continue
    }
    yield JSON.parse(`[${(text + piece.slice(0, end)).replaceAll('\n', ',')}]`)
    text = piece.slice(end + 1)
  }
}

/** The rows of a file. Refuses the same files as the console, with the same messages. */
export async function* fileRows(path: string, kind: TableKind): AsyncGenerator<WrittenRow[]> {
  let rows: WrittenRow[] = []
  let written: ReturnType<typeof writtenReader> | undefined
  const reader = sourceTableReader(kind, (cells, row, { keys }) => {
    written ??= writtenReader(keys)
    rows.push([row, written.read(cells)])
  })
  for await (const batch of rowsOf(path, kind)) {
    for (const { row, cells, width, hasStoredBlanks } of batch) reader.add(cells, row, width, hasStoredBlanks)
    yield rows
    rows = []
  }
  const { keys, count } = reader.finish()
  if (count === 0) throw new TableError(NOTHING_TO_IMPORT.file.no_rows, true)
  if (!writtenReader(keys).hasUrl) throw new TableError(NOTHING_TO_IMPORT.file.no_url_column, true)
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

async function* textOf(path: string) {
  const file = await open(path)
  try {
    yield* decodedUtf8(file)
  } finally {
    await file.close()
  }
}
