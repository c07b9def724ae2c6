import { z } from 'zod'
import { email, IdempotencyKey, text } from './fields.schema.ts'
import { LENGTH } from './limits.ts'
import { CELL_TYPES, faultIn, isSpreadsheet, type SheetRecord, SOURCE_IMPORT_MESSAGES } from './source-import.ts'

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
  /** The number of input rows by outcome. */
  outcomes: z.record(z.string(), z.int()).optional(),
})

export type SourceImport = z.infer<typeof SourceImport>
export type SourceImportResult = z.infer<typeof SourceImportResult>

export const serviceAccount = {
  summary: 'Get the account that a spreadsheet must be shared with, if there is one',
  response: { 200: z.object({ email: z.string().nullable() }) },
}

export const importSources = {
  summary: 'Import sources from rows or from a spreadsheet',
  headers: IdempotencyKey,
  body: SourceImport,
  response: { 200: SourceImportResult },
}
