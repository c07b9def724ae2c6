import { get, MANY_ROWS, post } from './endpoint.ts'
import { MISMATCHING_ROWS_LISTED } from './limits.ts'
import type * as schema from './source-import.schema.ts'
import type { TableError } from './table-error.ts'

export type * from './source-import.schema.ts'

/** A spreadsheet row by column name, without empty cells. */
export type SheetRecord = Record<string, string | number | boolean>

export const CELL_TYPES = ['string', 'number', 'boolean']
export const INVALID_RECORD = 'A row must be an object whose values are strings, numbers or booleans.'

/** The path of the invalid cell. Does not copy rows, because there can be a hundred thousand. */
export function faultIn(record: unknown): (string | number)[] | undefined {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return []
  for (const [name, cell] of Object.entries(record)) if (!CELL_TYPES.includes(typeof cell)) return [name]
  return undefined
}

export const SPREADSHEETS_ADDRESS = 'https://docs.google.com/spreadsheets/'

export const SOURCE_IMPORT_MESSAGES = {
  wrong_type: 'File must be of type csv or xlsx.',
  empty_csv_header: 'CSV contains empty column names.',
  empty_xlsx_header: 'XLSX contains empty column names.',
  nothing_given: 'Please enter URL or upload CSV file.',
  wrong_url: `URL must start with ${SPREADSHEETS_ADDRESS}`,
  reading_failed: 'An error occurred while reading the file.',
  advice: 'Try again later or contact developers.',
  mismatch: (rows: number[]) =>
    `Invalid file! Header values mismatch in rows: ${rows.slice(0, MISMATCHING_ROWS_LISTED).join(', ')}.`,
  parsed: (count: number) => `Loaded and parsed file into array of ${count} records.`,
  requested: (requested: number, inputs: number) => `Requested import for ${requested} of ${inputs} inputs:`,
  call_failed: (message: string) => `Could not import sources due to error: ${message}.`,
  lookup_failed: (message: string) => `Could not authenticate due to error: ${message}.`,
} as const

export function fileProblem({ message, isWhole }: TableError) {
  return isWhole ? { message, reason: undefined } : { message: SOURCE_IMPORT_MESSAGES.reading_failed, reason: message }
}

/** Checks the address as typed and as parsed, so that no user name, port, `..` or ignored character leads elsewhere. */
export function isSpreadsheet(value: string) {
  if (!value.startsWith(SPREADSHEETS_ADDRESS) || /[\s\\\p{Cc}]/u.test(value)) return false
  return URL.canParse(value) && new URL(value).href.startsWith(SPREADSHEETS_ADDRESS)
}

export const serviceAccount = get<typeof schema.serviceAccount>('/source_import/service_account', 'super_admin')

/** Its own call, so that the import itself is exactly that of the specification. */
export const describeFile = post<typeof schema.describeFile>('/source_import/file', 'super_admin')
export const importSources = post<typeof schema.importSources>('/source_import/sources', 'super_admin', MANY_ROWS)
