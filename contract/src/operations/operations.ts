import type { Endpoint, ListEndpoint } from '../endpoint.ts'
import { FILE_TYPES } from '../file-types.ts'
import { TIMEOUT_MS } from '../limits.ts'
import type { ListFilter, ListOptions } from '../list.ts'
import type * as schema from './operations.schema.ts'

export type {
  Import,
  ImportQuery,
  ImportReference,
  ImportRows,
  ImportRowsQuery,
  Undo,
  UndoPreview,
} from './operations.schema.ts'

export const importList = {
  search: 'Search file or sheet name',
  isNewestFirst: true,
  filters: {
    kind: {
      label: 'Kind',
      placeholder: 'All kinds',
      options: {
        source_import: 'Source imports',
        platform_import: 'Platform imports',
        export: 'Exports',
        stories_import: 'Stories imports',
        sheet_replacement: 'Sheet replacements',
        sources_change: 'Bulk changes of sources',
        users_change: 'Bulk changes of users',
        workspaces_change: 'Bulk changes of workspaces',
        dashboards_change: 'Bulk changes of dashboards',
        users_import: 'Users imports',
        undo: 'Undos and redos',
      },
    },
    state: {
      label: 'State',
      placeholder: 'All states',
      options: {
        queued: 'Waiting',
        running: 'Running',
        done: 'Done',
        failed: 'Failed',
        cancelled: 'Cancelled',
        undone: 'Undone',
      },
    },
  },
  values: {
    created_by: { label: 'Person', kind: 'id' },
    from: { label: 'From', kind: 'day' },
    to: { label: 'Until', kind: 'day' },
  },
} as const satisfies ListOptions

export type ImportFilter = ListFilter<typeof importList>
export type ImportKind = keyof typeof importList.filters.kind.options
/** An import that was undone is still done. */
export type ImportState = Exclude<keyof typeof importList.filters.state.options, 'undone'>

/** The outcomes of rows that were not imported because something is wrong with them. */
export const FAILED_OUTCOMES = [
  'unsupported platform',
  'URL of another platform',
  'invalid URL',
  'unknown country',
  'invalid email',
  'invalid name',
  'invalid value',
  'invalid password',
  'invalid',
] as const

export const listImports: ListEndpoint<typeof schema.listImports, typeof importList> = {
  method: 'GET',
  url: '/api/v1/imports/',
  config: { access: 'super_admin', is_polled: true },
  list: importList,
}

export const getImport: Endpoint<typeof schema.getImport> = {
  method: 'GET',
  url: '/api/v1/imports/:id',
  config: { access: 'super_admin', is_polled: true },
}

export const listImportRows: Endpoint<typeof schema.listImportRows> = {
  method: 'GET',
  url: '/api/v1/imports/:id/rows',
  config: { access: 'super_admin' },
}

export const downloadImportRows: Endpoint<typeof schema.downloadImportRows> = {
  method: 'GET',
  url: '/api/v1/imports/:id/file',
  config: {
    access: 'super_admin',
    is_expensive: true,
    timeout_ms: TIMEOUT_MS.stories,
    response_types: Object.values(FILE_TYPES),
  },
}

export const previewUndo: Endpoint<typeof schema.previewUndo> = {
  method: 'GET',
  url: '/api/v1/imports/:id/undo',
  config: { access: 'super_admin', is_expensive: true, timeout_ms: TIMEOUT_MS.preview },
}

export const undoImport: Endpoint<typeof schema.undoImport> = {
  method: 'POST',
  url: '/api/v1/imports/:id/undo',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.undo, is_import: true },
}
