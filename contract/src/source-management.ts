import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { Platform } from './enums.ts'
import { missing } from './fields.ts'
import { TIMEOUT_MS } from './limits.ts'

const platform = z.enum(Platform.options, missing('Platform is required!'))

export const SourceManagementType = z.enum(['import', 'export'])
export const TransferStatus = z.enum(['SUCCESS', 'PARTIAL', 'FAILED'])

export const SourcesImportRequest = z.strictObject({ platform, type: z.literal('import') })
export const SourcesExportRequest = z.strictObject({ platform, type: z.literal('export') })
export const SourcesImportResult = z.object({
  platform: Platform,
  import_status: TransferStatus,
  sheet_id: z.string().nullable(),
  error_message: z.string().nullable(),
  /** Beside the specification: what became of the rows, and the first ten that were left out. */
  sheet_url: z.string().nullable(),
  created_count: z.int(),
  updated_count: z.int(),
  unchanged_count: z.int(),
  skipped_count: z.int(),
  skipped_rows: z.array(z.object({ row: z.int(), reason: z.string() })),
})
export const SourcesExportResult = z.object({
  platform: Platform,
  export_status: TransferStatus,
  created_sheet_url: z.string().nullable(),
  error_message: z.string().nullable(),
  exported_count: z.int(),
})

export type SourceManagementType = z.infer<typeof SourceManagementType>
export type SourcesImportResult = z.infer<typeof SourcesImportResult>
export type SourcesExportResult = z.infer<typeof SourcesExportResult>

export const importPlatformSources = {
  method: 'POST',
  url: '/api/v1/source_management/import',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.sources, is_import: true },
  schema: {
    summary: "Take over a platform's sources from its sheet",
    body: SourcesImportRequest,
    response: { 200: SourcesImportResult },
  },
} satisfies Endpoint

export const exportPlatformSources = {
  method: 'POST',
  url: '/api/v1/source_management/export',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.sources, is_import: true },
  schema: {
    summary: "Write a platform's sources to a new sheet",
    body: SourcesExportRequest,
    response: { 200: SourcesExportResult },
  },
} satisfies Endpoint
