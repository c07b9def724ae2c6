import type { Endpoint } from '../endpoint.ts'
import { TIMEOUT_MS } from '../limits.ts'
import type * as schema from './changes.schema.ts'

export type {
  BulkChanged,
  BulkPreview,
  BulkRecords,
  BulkRecordsQuery,
  DashboardsChange,
  ListChange,
  QuotaChange,
  UsersChange,
  WorkspacesChange,
} from './changes.schema.ts'

const preview = { access: 'super_admin', is_read: true, is_expensive: true, timeout_ms: TIMEOUT_MS.preview } as const
const change = { access: 'super_admin', timeout_ms: TIMEOUT_MS.undo, is_import: true } as const

export const previewUsersChange: Endpoint<typeof schema.previewUsersChange> = {
  method: 'POST',
  url: '/api/v1/users/change/preview',
  config: preview,
}

export const listUsersChange: Endpoint<typeof schema.listUsersChange> = {
  method: 'POST',
  url: '/api/v1/users/change/preview/records',
  config: preview,
}

export const changeUsers: Endpoint<typeof schema.changeUsers> = {
  method: 'POST',
  url: '/api/v1/users/change',
  config: change,
}

export const previewWorkspacesChange: Endpoint<typeof schema.previewWorkspacesChange> = {
  method: 'POST',
  url: '/api/v1/workspaces/change/preview',
  config: preview,
}

export const listWorkspacesChange: Endpoint<typeof schema.listWorkspacesChange> = {
  method: 'POST',
  url: '/api/v1/workspaces/change/preview/records',
  config: preview,
}

export const changeWorkspaces: Endpoint<typeof schema.changeWorkspaces> = {
  method: 'POST',
  url: '/api/v1/workspaces/change',
  config: change,
}

export const previewDashboardsChange: Endpoint<typeof schema.previewDashboardsChange> = {
  method: 'POST',
  url: '/api/v1/powerbi_dashboards/change/preview',
  config: preview,
}

export const listDashboardsChange: Endpoint<typeof schema.listDashboardsChange> = {
  method: 'POST',
  url: '/api/v1/powerbi_dashboards/change/preview/records',
  config: preview,
}

export const changeDashboards: Endpoint<typeof schema.changeDashboards> = {
  method: 'POST',
  url: '/api/v1/powerbi_dashboards/change',
  config: change,
}
