import { MISMATCHING_ROWS_LISTED } from './limits.ts'

// Apart from the schemas: the console shows these before it loads those.
export const SPREADSHEETS_ADDRESS = 'https://docs.google.com/spreadsheets/'

/** The texts that the file reader and the form show. */
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

/** As typed and as parsed, so that no user name, port, `..` or character that a parser drops leads elsewhere. */
export function isSpreadsheet(value: string) {
  if (!value.startsWith(SPREADSHEETS_ADDRESS) || /[\s\\\p{Cc}]/u.test(value)) return false
  return URL.canParse(value) && new URL(value).href.startsWith(SPREADSHEETS_ADDRESS)
}
