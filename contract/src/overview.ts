import { get } from './endpoint.ts'
import type { RunFilter } from './narratives-vectorization.ts'
import type { OperationFilter } from './operations/operations.ts'
import type * as schema from './overview.schema.ts'
import type { UserFilter } from './users.ts'
import type { WorkspaceFilter } from './workspaces.ts'

export type * from './overview.schema.ts'

export const OVERVIEW_DAYS = 90
export const FAILED_DAYS = 7
/** A quota is low if less than this percentage is left. */
export const LOW_PERCENT = 10
export const OVERVIEW_ROWS = 3

export type FilteredList =
  | { list: 'workspaces'; filter: WorkspaceFilter }
  | { list: 'users'; filter: UserFilter }
  | { list: 'imports'; filter: OperationFilter }
  | { list: 'runs'; filter: RunFilter }

const IN_USE: WorkspaceFilter = { status: ['IN_USE'] }

/** What needs attention of workspaces, each as the filter of their list. Trials are in use. */
export const WORKSPACE_ATTENTION = {
  trials_ended: { trial: 'ended' },
  trials_within_7: { trial: 'within_7' },
  trials_within_30: { trial: 'within_30' },
  analytical_used_up: { ...IN_USE, analytical_under: 0 },
  analytical_low: { ...IN_USE, analytical_under: LOW_PERCENT },
  ai_used_up: { ...IN_USE, ai_under: 0 },
  ai_low: { ...IN_USE, ai_under: LOW_PERCENT },
  renewals_overdue: { ...IN_USE, renewal: 'overdue' },
  without_admin: { ...IN_USE, admin: 'none' },
} as const satisfies Record<string, WorkspaceFilter>

export type AttentionName = keyof typeof WORKSPACE_ATTENTION | 'imports_failed' | 'runs_failed' | 'users_locked'

export function listOf(name: AttentionName, today: string): FilteredList {
  const from = new Date(Date.parse(today) - (FAILED_DAYS - 1) * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  if (name === 'imports_failed') return { list: 'imports', filter: { state: 'failed', from } }
  if (name === 'runs_failed') return { list: 'runs', filter: { status: 'failed', from } }
  if (name === 'users_locked') return { list: 'users', filter: { locked: 'yes' } }
  return { list: 'workspaces', filter: WORKSPACE_ATTENTION[name] }
}

export const getOverview = get<typeof schema.getOverview>('/overview/', 'super_admin')
