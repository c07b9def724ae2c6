import { infiniteQueryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/operations/changes'
import { call } from '../../../api/call.ts'

/** What the preview said. */
type Expected = { expected_count: number; expected_changed_count: number; expected_checksum: string }

export type FilterOf<Change> = Change extends { filter?: infer Filter } ? Filter : never

/** The records that are changed: by their ids, or all that match. */
export type Chosen<Change> = { ids: number[] } | { filter: FilterOf<Change> }

/** What to do with them. */
export type Wanted<Change> = Omit<Change, 'ids' | 'filter'>

/** How records of a kind are changed. */
export type Records<Change> = {
  noun: 'user' | 'workspace' | 'dashboard'
  preview: (body: Change) => Promise<api.BulkPreview>
  /** The records of the preview, some at a time. */
  list: (body: Change & api.BulkRecordsQuery, signal: AbortSignal) => Promise<api.BulkRecords>
  /** The server runs requests with the same key once. */
  change: (body: Change & Expected, key: string) => Promise<api.BulkChanged>
}

const headersOf = (key: string) => ({ 'idempotency-key': key })

export const users: Records<api.UsersChange> = {
  noun: 'user',
  preview: (body) => call(api.previewUsersChange, { body }),
  list: (body, signal) => call(api.listUsersChange, { body, signal }),
  change: (body, key) => call(api.changeUsers, { body, headers: headersOf(key) }),
}

export const workspaces: Records<api.WorkspacesChange> = {
  noun: 'workspace',
  preview: (body) => call(api.previewWorkspacesChange, { body }),
  list: (body, signal) => call(api.listWorkspacesChange, { body, signal }),
  change: (body, key) => call(api.changeWorkspaces, { body, headers: headersOf(key) }),
}

export const dashboards: Records<api.DashboardsChange> = {
  noun: 'dashboard',
  preview: (body) => call(api.previewDashboardsChange, { body }),
  list: (body, signal) => call(api.listDashboardsChange, { body, signal }),
  change: (body, key) => call(api.changeDashboards, { body, headers: headersOf(key) }),
}

/** All records of a preview with an outcome, read when somebody wants to see them. */
export function recordsQuery<Change>(
  { noun, list }: Records<Change>,
  body: Change,
  preview: api.BulkPreview,
  outcome: api.BulkRecordsQuery['outcome'],
) {
  return infiniteQueryOptions({
    queryKey: ['preview', noun, body, preview, outcome] as unknown[],
    queryFn: ({ pageParam, signal }) => list({ ...body, outcome, after_id: pageParam }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ records, has_more }) => (has_more ? records.at(-1)?.id : undefined),
    enabled: false,
    // Another preview may look the same although the records are others.
    gcTime: 0,
  })
}
