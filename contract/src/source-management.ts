import { MANY_ROWS, post } from './endpoint.ts'
import type * as schema from './source-management.schema.ts'

export type * from './source-management.schema.ts'

export const importPlatformSources = post<typeof schema.importPlatformSources>(
  '/source_management/import',
  'super_admin',
  MANY_ROWS,
)

export const exportPlatformSources = post<typeof schema.exportPlatformSources>(
  '/source_management/export',
  'super_admin',
  MANY_ROWS,
)
