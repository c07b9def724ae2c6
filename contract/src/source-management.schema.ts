import { z } from 'zod'
import { callOf } from './endpoint.schema.ts'
import { PLATFORMS } from './enums.ts'
import * as field from './fields.schema.ts'
import { recorded } from './operations/operations.schema.ts'

const platform = z.enum(PLATFORMS, field.missing('Platform is required!'))

const TransferStatus = z.enum(['SUCCESS', 'PARTIAL', 'FAILED'])

export const SourcesImportRequest = z.strictObject({ platform, type: z.literal('import') })
export const SourcesExportRequest = z.strictObject({ platform, type: z.literal('export') })
export const SourcesImportResult = field.object('The result of the import', {
  platform: z.enum(PLATFORMS),
  import_status: TransferStatus,
  sheet_id: z.string().nullable().describe('Id of the sheet that was read'),
  error_message: z.string().nullable().describe('What went wrong, if anything'),
  sheet_url: z.string().nullable().describe('Address of the sheet that was read'),
  created_count: field.count('Number of new sources'),
  updated_count: field.count('Number of changed sources'),
  unchanged_count: field.count('Number of sources that stayed the same'),
  skipped_count: field.count('Number of rows that could not be imported'),
  skipped_rows: field.objects('The first ten rows that could not be imported', {
    row: field.int('Row number', 12, { min: 1 }),
    reason: z.string(),
  }),
  ...recorded,
})
export const SourcesExportResult = field.object('The result of the export', {
  platform: z.enum(PLATFORMS),
  export_status: TransferStatus,
  created_sheet_url: z.string().nullable().describe('Address of the new sheet'),
  error_message: z.string().nullable().describe('What went wrong, if anything'),
  exported_count: field.count('Number of exported sources'),
  import_id: field.Id.optional().describe('Id of the export in the list of imports'),
})

export type SourcesImportResult = z.infer<typeof SourcesImportResult>
export type SourcesExportResult = z.infer<typeof SourcesExportResult>

export const importPlatformSources = callOf(
  "Import a platform's sources from its sheet",
  SourcesImportRequest,
  SourcesImportResult,
)

export const exportPlatformSources = callOf(
  "Export a platform's sources to a new sheet",
  SourcesExportRequest,
  SourcesExportResult,
)
