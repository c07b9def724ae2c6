import { csvLine } from '@watchdesk/contract/csv'
import { writeRowRanges } from '@watchdesk/contract/row-ranges'
import { SOURCE_COLUMNS } from '@watchdesk/contract/source-row'
import { type CellValue, cellText } from '@watchdesk/contract/xlsx/cell'
import { recordFrom, type Table } from './collector.ts'
import type { Edits } from './edits.ts'

const ROWS_PER_PART = 5_000

/** The positions of the two relevant columns; undefined if the file does not have one. */
export type Positions = { url: number | undefined; country: number | undefined }

/** The rows as they were read, with the edits and without skipped rows. */
export function correctedRows({ keys, names, values, rows: numbers }: Table, edits: Edits, positions: Positions) {
  // Only if a country was chosen for a row of a file without that column.
  const isAdded = positions.country === undefined && values.some((_, index) => edits.get(index)?.country)
  const at = isAdded ? { ...positions, country: names.length } : positions
  const added = isAdded ? [SOURCE_COLUMNS.country] : []

  function* rows() {
    for (const [index, cells] of values.entries()) {
      const edit = edits.get(index)
      if (!edit) yield cells
      else if (!edit.isSkipped) yield edited(cells, [at.url, edit.url], [at.country, edit.country])
    }
  }

  /** The row of the file that each of them comes from. */
  function* rowNumbers() {
    for (const [index, number] of numbers.entries()) if (!edits.get(index)?.isSkipped) yield number
  }

  return { keys: [...keys, ...added], names: [...names, ...added], rows, rowNumbers }
}

function edited(cells: readonly CellValue[], ...changes: [at: number | undefined, text: string | undefined][]) {
  const result = [...cells]
  for (const [at, text] of changes) {
    if (at === undefined || text === undefined) continue
    // A row of a workbook can be shorter than its header.
    while (result.length < at) result.push('')
    result[at] = text
  }
  return result
}

type Corrected = ReturnType<typeof correctedRows>

/** The row numbers of the records in the body; undefined if they are counted from 2 without gaps. */
export function numbersOf({ rowNumbers }: Corrected): string | undefined {
  const text = writeRowRanges(rowNumbers())
  return /^2(-\d+)?$/.test(text) || text === '' ? undefined : text
}

/** The import request's body as JSON, built in parts: a large one would exceed the maximum string length. */
export function bodyOf({ keys, rows }: Corrected, email: string): Blob {
  const records = joined(rows(), (cells, index) => `${index > 0 ? ',' : ''}${JSON.stringify(recordFrom(keys, cells))}`)
  const start = `{"email":${JSON.stringify(email)},"sheet_url":null,"sheet_records":[`
  return new Blob([start, ...records, ']}'], { type: 'application/json' })
}

/**
 * A CSV file with all columns, and a byte order mark so that Excel detects UTF-8. With gaps, blank lines stand for rows
 * that are left out, so that the others have the numbers that they have in the file.
 */
export function csvOf({ names, rows, rowNumbers }: Corrected, gaps: 'closed' | 'kept' = 'closed'): Blob {
  const numbers = gaps === 'kept' ? rowNumbers() : undefined
  let written = 1
  const lines = joined(rows(), (cells) => {
    const line = csvLine(names.map((_, column) => cellText(cells[column] ?? '')))
    written += 1
    const number = numbers?.next().value ?? written
    const blank = '\r\n'.repeat(Math.max(0, number - written))
    written = number
    return blank + line
  })
  return new Blob([`\uFEFF${csvLine(names)}`, ...lines], { type: 'text/csv;charset=utf-8' })
}

function joined(rows: Iterable<readonly CellValue[]>, write: (cells: readonly CellValue[], index: number) => string) {
  const parts: string[] = []
  let part = ''
  let count = 0
  for (const cells of rows) {
    part += write(cells, count)
    count += 1
    if (count % ROWS_PER_PART === 0) {
      parts.push(part)
      part = ''
    }
  }
  return [...parts, part]
}
