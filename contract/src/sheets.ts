import { del, get, getList, patch, post, put, UPLOAD } from './endpoint.ts'
import { TABLE_FILE } from './file-types.ts'
import type { ListOptions } from './list.ts'
import type * as schema from './sheets.schema.ts'

export type * from './sheets.schema.ts'

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

export const listSheets = getList<typeof schema.listSheets>('/sheets/', 'super_admin', sheetList)

export const getSheet = get<typeof schema.getSheet>('/sheets/:id', 'super_admin')
export const listSheetRows = get<typeof schema.listSheetRows>('/sheets/:id/rows', 'super_admin')
export const downloadSheet = get<typeof schema.downloadSheet>('/sheets/:id/file', 'super_admin', TABLE_FILE)
export const replaceSheet = put<typeof schema.replaceSheet>('/sheets/:id/file', 'super_admin', UPLOAD)
export const updateSheet = patch<typeof schema.updateSheet>('/sheets/:id', 'super_admin')
export const deleteSheet = del<typeof schema.deleteSheet>('/sheets/:id', 'super_admin')
export const restoreSheet = post<typeof schema.restoreSheet>('/sheets/:id/restore', 'super_admin')
