import { type EndpointSchema, MANY_CHANGES, post } from '../endpoint.ts'
import { TIMEOUT_MS } from '../limits.ts'
import type * as schema from './changes.schema.ts'

export type * from './changes.schema.ts'

type Records = 'users' | 'workspaces' | 'powerbi_dashboards'

// @__NO_SIDE_EFFECTS__
function preview<Schema extends EndpointSchema>(path: `${Records}/change/preview${'' | '/records'}`) {
  const options = { is_read: true, is_expensive: true, timeout_ms: TIMEOUT_MS.preview } as const
  return post<Schema>(`/${path}`, 'super_admin', options)
}

// @__NO_SIDE_EFFECTS__
function change<Schema extends EndpointSchema>(path: `${Records}/change`) {
  return post<Schema>(`/${path}`, 'super_admin', MANY_CHANGES)
}

export const previewUsersChange = preview<typeof schema.previewUsersChange>('users/change/preview')
export const listUsersChange = preview<typeof schema.listUsersChange>('users/change/preview/records')
export const changeUsers = change<typeof schema.changeUsers>('users/change')

export const previewWorkspacesChange = preview<typeof schema.previewWorkspacesChange>('workspaces/change/preview')
export const listWorkspacesChange = preview<typeof schema.listWorkspacesChange>('workspaces/change/preview/records')
export const changeWorkspaces = change<typeof schema.changeWorkspaces>('workspaces/change')

export const previewDashboardsChange = preview<typeof schema.previewDashboardsChange>(
  'powerbi_dashboards/change/preview',
)
export const listDashboardsChange = preview<typeof schema.listDashboardsChange>(
  'powerbi_dashboards/change/preview/records',
)
export const changeDashboards = change<typeof schema.changeDashboards>('powerbi_dashboards/change')
