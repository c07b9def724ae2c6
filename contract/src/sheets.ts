import type { Endpoint, ListEndpoint } from './endpoint.ts'
import { FILE_TYPES } from './file-types.ts'
import { TIMEOUT_MS } from './limits.ts'
import type { ListOptions } from './list.ts'
import type * as schema from './sheets.schema.ts'

export type {
  ListedSheet,
  Sheet,
  SheetFileQuery,
  SheetOrigin,
  SheetQuery,
  SheetRows,
  SheetRowsQuery,
  SheetUpdate,
} from './sheets.schema.ts'

export const sheetList = {
  search: 'Search title',
  sorts: ['id', 'title'],
  isNewestFirst: true,
  filters: {
    origin: {
      label: 'Origin',
      placeholder: 'All origins',
      options: { source_import: 'Source import', source_management: 'Source management' },
    },
  },
} as const satisfies ListOptions

export const listSheets: ListEndpoint<typeof schema.listSheets, typeof sheetList> = {
  method: 'GET',
  url: '/api/v1/sheets/',
  config: { access: 'super_admin' },
  list: sheetList,
}

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
  config: {
    access: 'super_admin',
    is_expensive: true,
    timeout_ms: TIMEOUT_MS.stories,
    response_types: Object.values(FILE_TYPES),
  },
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

export const updateSheet: Endpoint<typeof schema.updateSheet> = {
  method: 'PATCH',
  url: '/api/v1/sheets/:id',
  config: { access: 'super_admin' },
}

export const deleteSheet: Endpoint<typeof schema.deleteSheet> = {
  method: 'DELETE',
  url: '/api/v1/sheets/:id',
  config: { access: 'super_admin' },
}

export const restoreSheet: Endpoint<typeof schema.restoreSheet> = {
  method: 'POST',
  url: '/api/v1/sheets/:id/restore',
  config: { access: 'super_admin' },
}
