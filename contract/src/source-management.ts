import type { Endpoint } from './endpoint.ts'
import { TIMEOUT_MS } from './limits.ts'
import type * as schema from './source-management.schema.ts'

export type { SourceManagementType, SourcesExportResult, SourcesImportResult } from './source-management.schema.ts'

export const importPlatformSources: Endpoint<typeof schema.importPlatformSources> = {
  method: 'POST',
  url: '/api/v1/source_management/import',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.sources, is_import: true },
}

export const exportPlatformSources: Endpoint<typeof schema.exportPlatformSources> = {
  method: 'POST',
  url: '/api/v1/source_management/export',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.sources, is_import: true },
}
