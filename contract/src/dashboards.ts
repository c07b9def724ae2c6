import type * as schema from './dashboards.schema.ts'
import { del, get, getList, patch, post } from './endpoint.ts'
import type { ListOptions } from './list.ts'

export type * from './dashboards.schema.ts'

/** Not paged, searched or sorted by the server. */
export const dashboardList = {
  columns: ['id', 'name', 'description', 'embed_link'],
  moreColumns: ['workspaces_count'],
} as const satisfies ListOptions

export const listDashboards = get<typeof schema.listDashboards>('/powerbi_dashboards/', 'super_admin')
export const getDashboard = get<typeof schema.getDashboard>('/powerbi_dashboards/:id', 'super_admin')
export const createDashboard = post<typeof schema.createDashboard>('/powerbi_dashboards/', 'super_admin')
export const updateDashboard = patch<typeof schema.updateDashboard>('/powerbi_dashboards/:id', 'super_admin')
export const deleteDashboard = del<typeof schema.deleteDashboard>('/powerbi_dashboards/:id', 'super_admin')

export const restoreDashboard = post<typeof schema.restoreDashboard>('/powerbi_dashboards/:id/restore', 'super_admin')

export const dashboardWorkspaceList = {
  search: 'Search workspaces',
  sorts: ['id', 'name', 'status'],
} as const satisfies ListOptions

export const listDashboardWorkspaces = getList<typeof schema.listDashboardWorkspaces>(
  '/powerbi_dashboards/:id/workspaces',
  'super_admin',
  dashboardWorkspaceList,
)

export const changeDashboardWorkspaces = post<typeof schema.changeDashboardWorkspaces>(
  '/powerbi_dashboards/:id/workspaces',
  'super_admin',
)

/** POST, because it makes the server send requests to other sites. */
export const checkDashboardLinks = post<typeof schema.checkDashboardLinks>(
  '/powerbi_dashboards/check_links',
  'super_admin',
  { is_read: true, is_expensive: true },
)
