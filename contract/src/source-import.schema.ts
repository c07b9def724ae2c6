import { z } from 'zod'
import { onceOf, resultOf, sendOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'
import { LENGTH, MAX_ROWS } from './limits.ts'
import { recorded } from './operations/operations.schema.ts'
import { readRowRanges } from './row-ranges.ts'
import {
  CELL_TYPES,
  faultIn,
  INVALID_RECORD,
  isSpreadsheet,
  type SheetRecord,
  SOURCE_IMPORT_MESSAGES,
  SPREADSHEETS_ADDRESS,
} from './source-import.ts'

const SheetRecords = z
  .array(z.custom<SheetRecord>())
  .superRefine((records, context) => {
    for (const [index, record] of records.entries()) {
      const path = faultIn(record)
      if (path) return context.addIssue({ code: 'custom', path: [index, ...path], message: INVALID_RECORD })
    }
  })
  .meta({
    items: { type: 'object', additionalProperties: { type: CELL_TYPES } },
    description: 'The rows of a spreadsheet: the value of each cell by the name of its column',
    examples: [[{ source_url: 'https://t.me/example', source_country: 'UA' }]],
  })

export const SourceImport = z
  .strictObject({
    email: field.email().describe('Your own email address'),
    sheet_url: field.about(
      field
        .text(LENGTH.link)
        .refine(isSpreadsheet, SOURCE_IMPORT_MESSAGES.wrong_url)
        .meta({ format: 'uri', pattern: `^${SPREADSHEETS_ADDRESS.replaceAll('.', '\\.')}` })
        .nullable(),
      'Address of a Google spreadsheet. Null if you send sheet_records',
      `${SPREADSHEETS_ADDRESS}d/abc`,
    ),
    sheet_records: SheetRecords.nullable(),
  })
  .refine((body) => (body.sheet_url === null) !== (body.sheet_records === null), {
    path: ['sheet_url'],
    message: SOURCE_IMPORT_MESSAGES.nothing_given,
  })
  .meta({
    oneOf: [
      { properties: { sheet_url: { type: 'string' }, sheet_records: { type: 'null' } } },
      { properties: { sheet_url: { type: 'null' }, sheet_records: { type: 'array' } } },
    ],
  })
export const SourceImportResult = field.object('The result of the import', {
  error_message: z.string().nullable().describe('Why nothing was imported. Null if the import worked'),
  requested_count: field.count('Number of new sources'),
  inputs_count: field.count('Number of rows in the input'),
  created_sheet_url: z.string().nullable().describe('Address of the sheet with the outcome of every row'),
  outcomes: field.Outcomes.optional().describe('Number of rows by outcome'),
  ...recorded,
})

export type SourceImport = z.infer<typeof SourceImport>
export type SourceImportResult = z.infer<typeof SourceImportResult>

export const serviceAccount = resultOf(
  'Read the email address that a spreadsheet must be shared with',
  field.object('The Google service account', {
    email: z.string().nullable().describe('Null if no Google account is set up'),
  }),
)

export const SourceFile = z.strictObject({
  key: field.about(field.text(LENGTH.name), 'The Idempotency-Key that the import will have', 'import-2026-11-16-01'),
  name: field.about(field.text(LENGTH.file_name), 'Name of the file', 'sources.csv'),
  bytes: field.count('Size of the file in bytes'),
  skipped_count: field.count('Number of rows that were left out of the import').max(MAX_ROWS).optional(),
  rows: field.about(
    field
      .text(LENGTH.rows)
      .refine((value) => readRowRanges(value) !== undefined, 'Must be ascending row numbers such as 2-29,31-60.')
      .optional(),
    'The number of each record of sheet_records in that file, as ascending ranges. Without it, the first record is row 2 and no row is left out',
    '2-29,31-60',
  ),
})
export type SourceFile = z.infer<typeof SourceFile>

export const describeFile = sendOf(
  'Describe the file that the rows of an import come from, before the import',
  SourceFile,
)

export const importSources = onceOf('Import sources from rows or from a spreadsheet', SourceImport, SourceImportResult)
