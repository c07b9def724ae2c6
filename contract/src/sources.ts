import { del, get, getList, MANY_CHANGES, MANY_ROWS, patch, post } from './endpoint.ts'
import { PLATFORMS } from './enums.ts'
import { TABLE_FILE } from './file-types.ts'
import { TIMEOUT_MS } from './limits.ts'
import { type ListOptions, unlabeled } from './list.ts'
import type * as schema from './sources.schema.ts'

export type * from './sources.schema.ts'

export const sourceList = {
  search: 'Search address or handle',
  sorts: ['id', 'url', 'platform', 'country'],
  isNewestFirst: true,
  filters: {
    platform: { label: 'Platform', placeholder: 'All platforms', options: unlabeled(PLATFORMS) },
  },
  values: {
    country: { label: 'Country', kind: 'country' },
    import_id: { label: 'Import', kind: 'id' },
    added_from: { label: 'Added from', kind: 'day' },
    added_to: { label: 'Added until', kind: 'day' },
  },
} as const satisfies ListOptions

export const listSources = getList<typeof schema.listSources>('/sources/', 'super_admin', sourceList)

export const getSource = get<typeof schema.getSource>('/sources/:id', 'super_admin')
export const listImportsOfSource = get<typeof schema.listImportsOfSource>('/sources/:id/imports', 'super_admin')
export const updateSource = patch<typeof schema.updateSource>('/sources/:id', 'super_admin')
export const deleteSource = del<typeof schema.deleteSource>('/sources/:id', 'super_admin')
export const restoreSource = post<typeof schema.restoreSource>('/sources/:id/restore', 'super_admin')
export const changeSources = post<typeof schema.changeSources>('/sources/change', 'super_admin', MANY_CHANGES)

export const findSources = post<typeof schema.findSources>('/sources/find', 'super_admin', {
  is_read: true,
  timeout_ms: TIMEOUT_MS.vectorization,
  needs_slot: true,
})

export const downloadSources = get<typeof schema.downloadSources>('/sources/file', 'super_admin', TABLE_FILE)
export const exportSources = post<typeof schema.exportSources>('/sources/export', 'super_admin', MANY_ROWS)
