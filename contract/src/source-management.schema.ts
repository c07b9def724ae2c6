import { z } from 'zod'
import { PLATFORMS } from './enums.ts'
import { missing } from './fields.schema.ts'

const platform = z.enum(PLATFORMS, missing('Platform is required!'))

export const SourceManagementType = z.enum(['import', 'export'])
export const TransferStatus = z.enum(['SUCCESS', 'PARTIAL', 'FAILED'])

export const SourcesImportRequest = z.strictObject({ platform, type: z.literal('import') })
export const SourcesExportRequest = z.strictObject({ platform, type: z.literal('export') })
export const SourcesImportResult = z.object({
  platform: z.enum(PLATFORMS),
  import_status: TransferStatus,
  sheet_id: z.string().nullable(),
  error_message: z.string().nullable(),
  /** In addition to the specification: the number of rows by outcome, and the first ten skipped rows. */
  sheet_url: z.string().nullable(),
  created_count: z.int(),
  updated_count: z.int(),
  unchanged_count: z.int(),
  skipped_count: z.int(),
  skipped_rows: z.array(z.object({ row: z.int(), reason: z.string() })),
})
export const SourcesExportResult = z.object({
  platform: z.enum(PLATFORMS),
  export_status: TransferStatus,
  created_sheet_url: z.string().nullable(),
  error_message: z.string().nullable(),
  exported_count: z.int(),
})

export type SourceManagementType = z.infer<typeof SourceManagementType>
export type SourcesImportResult = z.infer<typeof SourcesImportResult>
export type SourcesExportResult = z.infer<typeof SourcesExportResult>

export const importPlatformSources = {
  summary: "Import a platform's sources from its sheet",
  body: SourcesImportRequest,
  response: { 200: SourcesImportResult },
}

export const exportPlatformSources = {
  summary: "Export a platform's sources to a new sheet",
  body: SourcesExportRequest,
  response: { 200: SourcesExportResult },
}
