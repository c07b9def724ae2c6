import { setImmediate } from 'node:timers/promises'
import type { Platform } from '@watchdesk/contract/enums'
import type { SheetRecord } from '@watchdesk/contract/source-import'
import {
  type CheckedRow,
  headerOf,
  NO_URL_COLUMN,
  sourceChecker,
  sourceColumns,
  writtenIn,
} from '@watchdesk/contract/sources'
import { type ReadSheet, SheetError } from '../../adapters/sheets/sheets.ts'

type WrittenRow = Pick<CheckedRow, 'row' | 'written'>

/** The header is row 1, and a record has no number of its own. */
export function rowsOfRecords(records: readonly SheetRecord[]): WrittenRow[] {
  if (records.length === 0) throw new SheetError('There are no rows to import.')
  const columns = sourceColumns(headerOf(records))
  if (!columns) throw new SheetError(NO_URL_COLUMN)
  return records.map((record, index) => ({ row: index + 2, written: writtenIn(record, columns) }))
}

/** Columns are found by their place: names in a header may be anything, also the same twice. */
export function rowsOfSheet({ header, rows }: Pick<ReadSheet, 'header' | 'rows'>): WrittenRow[] {
  const columns = sourceColumns(header)
  if (!columns) throw new SheetError(NO_URL_COLUMN)
  if (rows.length === 0) throw new SheetError('The sheet has no rows below its header.')
  const url = header.indexOf(columns.url)
  const country = columns.country === undefined ? -1 : header.indexOf(columns.country)
  return rows.map(({ row, cells }) => ({
    row,
    written: { url: cells[url]?.trim() ?? '', country: cells[country]?.trim() ?? '' },
  }))
}

const SLICE = 5_000

/** In slices, between which others get their turn: a hundred thousand addresses take a while to read. */
export async function checkRows(rows: readonly WrittenRow[], platform?: Platform): Promise<CheckedRow[]> {
  const check = sourceChecker(platform)
  const checked: CheckedRow[] = []
  for (let start = 0; start < rows.length; start += SLICE) {
    if (start > 0) await setImmediate()
    for (const { row, written } of rows.slice(start, start + SLICE)) checked.push(check(written, row))
  }
  return checked
}

/** How long an outside sheet may take: what is left of the caller's patience is for the rest. */
export async function readWithin(milliseconds: number, read: (signal: AbortSignal) => Promise<ReadSheet>) {
  const signal = AbortSignal.timeout(milliseconds)
  return read(signal).catch((error: unknown) => {
    if (signal.aborted) throw new SheetError('Reading the sheet took too long. Try again in a moment.')
    throw error
  })
}
