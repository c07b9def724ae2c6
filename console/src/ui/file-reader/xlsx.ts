import { MAX_ROWS } from '@watchdesk/contract/limits'
import { streamXlsxRows } from 'hucre/xlsx'
import { checkArchive } from './archive.ts'
import type { Progress } from './csv.ts'
import { FileError, invalidFile, tooManyRows } from './file-error.ts'
import type { Cell, Sink } from './sink.ts'

const ROWS_PER_REPORT = 2_000
const OLE = [0xd0, 0xcf, 0x11, 0xe0]

/** The first sheet of a workbook. */
export async function readXlsx<S extends Sink>(file: Blob, sinkOf: () => S, progress: Progress): Promise<S> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (OLE.every((byte, index) => bytes[index] === byte)) {
    throw invalidFile('It is password-protected or an old .xls file. Save it as .xlsx without a password.')
  }
  checkArchive(bytes)
  const sink = sinkOf()
  try {
    let count = 0
    for await (const { index, values } of streamXlsxRows(bytes)) {
      if (!Number.isInteger(index) || index < 0) throw invalidFile()
      if (index >= MAX_ROWS || count >= MAX_ROWS) throw tooManyRows()
      sink.add(values.map(cellOf), index + 1)
      count += 1
      if (count % ROWS_PER_REPORT === 0) progress(undefined, sink.count())
    }
  } catch (error) {
    throw error instanceof FileError ? error : invalidFile()
  }
  return sink
}

function cellOf(value: string | number | boolean | Date | null): Cell {
  if (value instanceof Date) return dateText(value)
  // JSON cannot represent it otherwise.
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}

const DAY_MS = 86_400_000
/** Day 0 of a spreadsheet, the date of a cell with only a time. */
const DAY_ZERO = Date.UTC(1899, 11, 31)

/** ISO 8601 without a time zone, because spreadsheets have none: `2026-05-01`, `2026-05-01T13:30:00` or `13:30:00`. */
function dateText(date: Date) {
  const time = date.getTime()
  if (Number.isNaN(time)) return 'Invalid date'
  const [day = '', clock = ''] = date
    .toISOString()
    .replace(/(\.000)?Z$/, '')
    .split('T')
  if (time >= DAY_ZERO && time < DAY_ZERO + DAY_MS) return clock
  return time % DAY_MS === 0 ? day : `${day}T${clock}`
}
