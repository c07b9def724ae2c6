import { z } from 'zod'
import { count, email, Nothing, Outcomes, onceOf, text } from './fields.schema.ts'
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
    email: email().describe('Your own email address'),
    sheet_url: text(LENGTH.link)
      .refine(isSpreadsheet, SOURCE_IMPORT_MESSAGES.wrong_url)
      .meta({ format: 'uri', pattern: `^${SPREADSHEETS_ADDRESS.replaceAll('.', '\\.')}` })
      .nullable()
      .meta({
        description: 'Address of a Google spreadsheet. Null if you send sheet_records',
        examples: [`${SPREADSHEETS_ADDRESS}d/abc`],
      }),
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
export const SourceImportResult = z
  .object({
    error_message: z.string().nullable().describe('Why nothing was imported. Null if the import worked'),
    requested_count: count('Number of new sources'),
    inputs_count: count('Number of rows in the input'),
    created_sheet_url: z.string().nullable().describe('Address of the sheet with the outcome of every row'),
    outcomes: Outcomes.optional().describe('Number of rows by outcome'),
    ...recorded,
  })
  .describe('The result of the import')

export type SourceImport = z.infer<typeof SourceImport>
export type SourceImportResult = z.infer<typeof SourceImportResult>

export const serviceAccount = {
  summary: 'Read the email address that a spreadsheet must be shared with',
  response: {
    200: z
      .object({ email: z.string().nullable().describe('Null if no Google account is set up') })
      .describe('The Google service account'),
  },
}

export const SourceFile = z.strictObject({
  key: text(LENGTH.name).meta({
    description: 'The Idempotency-Key that the import will have',
    examples: ['import-2026-11-16-01'],
  }),
  name: text(LENGTH.file).meta({ description: 'Name of the file', examples: ['sources.csv'] }),
  bytes: count('Size of the file in bytes'),
  skipped_count: count('Number of rows that were left out of the import').max(MAX_ROWS).optional(),
  rows: text(LENGTH.rows)
    .refine((value) => readRowRanges(value) !== undefined, 'Must be ascending row numbers such as 2-29,31-60.')
    .optional()
    .meta({
      description:
        'The number of each record of sheet_records in that file, as ascending ranges. Without it, the first record is row 2 and no row is left out',
      examples: ['2-29,31-60'],
    }),
})
export type SourceFile = z.infer<typeof SourceFile>

export const describeFile = {
  summary: 'Describe the file that the rows of an import come from, before the import',
  body: SourceFile,
  response: { 204: Nothing },
}

export const importSources = onceOf('Import sources from rows or from a spreadsheet', SourceImport, SourceImportResult)
