import type { QueryClient } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/bulk-changes'
import { call } from '../../api/call.ts'

/** What the preview said. */
type Expected = { expected_count: number; expected_changed_count: number; expected_checksum: string }

/** The records that are changed: by their ids, or all that match. */
export type Chosen<Change> = { ids: number[] } | (Change extends { filter?: infer Filter } ? { filter: Filter } : never)

/** What to do with them. */
export type Wanted<Change> = Omit<Change, 'ids' | 'filter'>

/** How records of a kind are changed. */
export type Records<Change> = {
  noun: 'user' | 'workspace' | 'dashboard'
  preview: (body: Change) => Promise<api.BulkPreview>
  /** The server runs requests with the same key once. */
  change: (body: Change & Expected, key: string) => Promise<api.BulkChanged>
}

const headersOf = (key: string) => ({ 'idempotency-key': key })

export const users: Records<api.UsersChange> = {
  noun: 'user',
  preview: (body) => call(api.previewUsersChange, { body }),
  change: (body, key) => call(api.changeUsers, { body, headers: headersOf(key) }),
}

export const workspaces: Records<api.WorkspacesChange> = {
  noun: 'workspace',
  preview: (body) => call(api.previewWorkspacesChange, { body }),
  change: (body, key) => call(api.changeWorkspaces, { body, headers: headersOf(key) }),
}

export const dashboards: Records<api.DashboardsChange> = {
  noun: 'dashboard',
  preview: (body) => call(api.previewDashboardsChange, { body }),
  change: (body, key) => call(api.changeDashboards, { body, headers: headersOf(key) }),
}

const CHANGED = ['users', 'workspaces', 'dashboards', 'imports', 'bin', 'history', 'activity']

export function refreshChanged(client: QueryClient) {
  return Promise.all(CHANGED.map((key) => client.invalidateQueries({ queryKey: [key] })))
}
