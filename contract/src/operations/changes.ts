import { post } from '../endpoint.ts'
import { TIMEOUT_MS } from '../limits.ts'
import type * as schema from './changes.schema.ts'

export type * from './changes.schema.ts'

const preview = { is_read: true, is_expensive: true, timeout_ms: TIMEOUT_MS.preview } as const
const change = { timeout_ms: TIMEOUT_MS.undo, needs_slot: true } as const

export const previewUsersChange = post<typeof schema.previewUsersChange>(
  '/api/v1/users/change/preview',
  'super_admin',
  preview,
)

export const listUsersChange = post<typeof schema.listUsersChange>(
  '/api/v1/users/change/preview/records',
  'super_admin',
  preview,
)

export const changeUsers = post<typeof schema.changeUsers>('/api/v1/users/change', 'super_admin', change)

export const previewWorkspacesChange = post<typeof schema.previewWorkspacesChange>(
  '/api/v1/workspaces/change/preview',
  'super_admin',
  preview,
)

export const listWorkspacesChange = post<typeof schema.listWorkspacesChange>(
  '/api/v1/workspaces/change/preview/records',
  'super_admin',
  preview,
)

export const changeWorkspaces = post<typeof schema.changeWorkspaces>('/api/v1/workspaces/change', 'super_admin', change)

export const previewDashboardsChange = post<typeof schema.previewDashboardsChange>(
  '/api/v1/powerbi_dashboards/change/preview',
  'super_admin',
  preview,
)

export const listDashboardsChange = post<typeof schema.listDashboardsChange>(
  '/api/v1/powerbi_dashboards/change/preview/records',
  'super_admin',
  preview,
)

export const changeDashboards = post<typeof schema.changeDashboards>(
  '/api/v1/powerbi_dashboards/change',
  'super_admin',
  change,
)
