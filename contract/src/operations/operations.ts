import type { Endpoint, ListEndpoint } from '../endpoint.ts'
import { FILE_TYPES } from '../file-types.ts'
import { TIMEOUT_MS } from '../limits.ts'
import type { ListFilter, ListOptions } from '../list.ts'
import type * as schema from './operations.schema.ts'

export type {
  Operation,
  OperationQuery,
  OperationReference,
  OperationRows,
  OperationRowsQuery,
  Undo,
  UndoPreview,
} from './operations.schema.ts'

export const operationList = {
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

export type OperationFilter = ListFilter<typeof operationList>
export type OperationKindName = keyof typeof operationList.filters.kind.options
/** An import that was undone is still done. */
export type OperationState = Exclude<keyof typeof operationList.filters.state.options, 'undone'>

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

export const listOperations: ListEndpoint<typeof schema.listOperations, typeof operationList> = {
  method: 'GET',
  url: '/api/v1/imports/',
  config: { access: 'super_admin', is_polled: true },
  list: operationList,
}

export const getOperation: Endpoint<typeof schema.getOperation> = {
  method: 'GET',
  url: '/api/v1/imports/:id',
  config: { access: 'super_admin', is_polled: true },
}

export const listOperationRows: Endpoint<typeof schema.listOperationRows> = {
  method: 'GET',
  url: '/api/v1/imports/:id/rows',
  config: { access: 'super_admin' },
}

export const downloadOperationRows: Endpoint<typeof schema.downloadOperationRows> = {
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

export const undoOperation: Endpoint<typeof schema.undoOperation> = {
  method: 'POST',
  url: '/api/v1/imports/:id/undo',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.undo, is_import: true },
}
