import { get, getList, MANY_CHANGES, post } from '../endpoint.ts'
import { TABLE_FILE } from '../file-types.ts'
import { TIMEOUT_MS } from '../limits.ts'
import type { ListFilter, ListOptions } from '../list.ts'
import { OPERATION_KINDS, type OperationKindName } from './kinds.ts'
import type * as schema from './operations.schema.ts'

export type * from './operations.schema.ts'

export const operationList = {
  search: 'Search file or sheet name',
  isNewestFirst: true,
  filters: {
    kind: { label: 'Kind', placeholder: 'All kinds', options: labels() },
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
/** An import that was undone is still done. */
export type OperationState = Exclude<keyof typeof operationList.filters.state.options, 'undone'>

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

export const listOperations = getList<typeof schema.listOperations>('/imports/', 'super_admin', operationList, {
  is_polled: true,
})

export const getOperation = get<typeof schema.getOperation>('/imports/:id', 'super_admin', { is_polled: true })
export const listOperationRows = get<typeof schema.listOperationRows>('/imports/:id/rows', 'super_admin')

export const downloadOperationRows = get<typeof schema.downloadOperationRows>(
  '/imports/:id/file',
  'super_admin',
  TABLE_FILE,
)

export const previewUndo = get<typeof schema.previewUndo>('/imports/:id/undo', 'super_admin', {
  is_expensive: true,
  timeout_ms: TIMEOUT_MS.preview,
})

export const undoOperation = post<typeof schema.undoOperation>('/imports/:id/undo', 'super_admin', MANY_CHANGES)

// @__NO_SIDE_EFFECTS__
function labels() {
  const entries = Object.entries(OPERATION_KINDS).map(([kind, { all }]) => [kind, all])
  return Object.fromEntries(entries) as Record<OperationKindName, string>
}
