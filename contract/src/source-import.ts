import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { email, IdempotencyKey, text } from './fields.ts'
import { LENGTH, TIMEOUT_MS } from './limits.ts'
import { isSpreadsheet, SOURCE_IMPORT_MESSAGES } from './source-import-messages.ts'

/** A spreadsheet row by column name, its empty cells left out. */
export type SheetRecord = Record<string, string | number | boolean>

const CELL_TYPES = ['string', 'number', 'boolean']

/** The cell at fault, or undefined. Every one of a hundred thousand rows is looked at, and none is copied. */
export function faultIn(record: unknown): (string | number)[] | undefined {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return []
  for (const [name, cell] of Object.entries(record)) if (!CELL_TYPES.includes(typeof cell)) return [name]
  return undefined
}

const SheetRecords = z
  .array(z.custom<SheetRecord>())
  .superRefine((records, context) => {
    for (const [index, record] of records.entries()) {
      const path = faultIn(record)
      if (path) return context.addIssue({ code: 'custom', path: [index, ...path], message: 'Invalid row of a sheet.' })
    }
  })
  .meta({ items: { type: 'object', additionalProperties: { type: CELL_TYPES } } })

export const SourceImport = z
  .strictObject({
    email: email(),
    sheet_url: text(LENGTH.link)
      .refine(isSpreadsheet, SOURCE_IMPORT_MESSAGES.wrong_url)
      .meta({ format: 'uri' })
      .nullable(),
    sheet_records: SheetRecords.nullable(),
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
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.sources, is_import: true },
  schema: {
    summary: 'Import sources from rows or from a spreadsheet',
    headers: IdempotencyKey,
    body: SourceImport,
    response: { 200: SourceImportResult },
  },
} satisfies Endpoint
