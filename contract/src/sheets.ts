import type { Endpoint } from './endpoint.ts'
import { FILE_TYPES } from './file-types.ts'
import { TIMEOUT_MS } from './limits.ts'
import type * as schema from './sheets.schema.ts'

export type { Sheet, SheetFileQuery, SheetOrigin, SheetRows, SheetRowsQuery } from './sheets.schema.ts'

export const getSheet: Endpoint<typeof schema.getSheet> = {
  method: 'GET',
  url: '/api/v1/sheets/:id',
  config: { access: 'super_admin' },
}

export const listSheetRows: Endpoint<typeof schema.listSheetRows> = {
  method: 'GET',
  url: '/api/v1/sheets/:id/rows',
  config: { access: 'super_admin' },
}

export const downloadSheet: Endpoint<typeof schema.downloadSheet> = {
  method: 'GET',
  url: '/api/v1/sheets/:id/file',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.stories, response_types: Object.values(FILE_TYPES) },
}

export const replaceSheet: Endpoint<typeof schema.replaceSheet> = {
  method: 'PUT',
  url: '/api/v1/sheets/:id/file',
  config: {
    access: 'super_admin',
    timeout_ms: TIMEOUT_MS.stories,
    content_type: 'multipart/form-data',
    is_import: true,
  },
}
