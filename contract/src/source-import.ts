import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { email, IdempotencyKey, text } from './fields.ts'
import { LENGTH, MISMATCHING_ROWS_LISTED, TIMEOUT_MS } from './limits.ts'

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

/** Parsed before it is compared, so that no user name, port or `..` leads elsewhere. */
export function isSpreadsheet(value: string) {
  return URL.canParse(value) && new URL(value).href.startsWith(SPREADSHEETS_ADDRESS)
}

/** A spreadsheet row by column name, its empty cells left out. */
export const SheetRecord = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

export const SourceImport = z
  .strictObject({
    email: email(),
    sheet_url: text(LENGTH.link)
      .refine(isSpreadsheet, SOURCE_IMPORT_MESSAGES.wrong_url)
      .meta({ format: 'uri' })
      .nullable(),
    sheet_records: z.array(SheetRecord).nullable(),
  })
  .refine((body) => (body.sheet_url === null) !== (body.sheet_records === null), {
    path: ['sheet_url'],
    message: SOURCE_IMPORT_MESSAGES.nothing_given,
  })
export const SourceImportResult = z.object({
  error_message: z.string().nullable(),
  requested_count: z.int(),
  inputs_count: z.int(),
  created_sheet_url: z.string().nullable(),
  /** How many inputs had each outcome. */
  outcomes: z.record(z.string(), z.int()).optional(),
})

export type SheetRecord = z.infer<typeof SheetRecord>
export type SourceImport = z.infer<typeof SourceImport>
export type SourceImportResult = z.infer<typeof SourceImportResult>

export const serviceAccount = {
  method: 'GET',
  url: '/api/v1/source_import/service_account',
  config: { access: 'super_admin' },
  schema: {
    summary: 'The account that a spreadsheet must be shared with, where there is one',
    response: { 200: z.object({ email: z.string().nullable() }) },
  },
} satisfies Endpoint

export const importSources = {
  method: 'POST',
  url: '/api/v1/source_import/sources',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.sources },
  schema: {
    summary: 'Import sources from rows or from a spreadsheet',
    headers: IdempotencyKey,
    body: SourceImport,
    response: { 200: SourceImportResult },
  },
} satisfies Endpoint
