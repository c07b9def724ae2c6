import type * as schema from './dashboards.schema.ts'
import type { Endpoint, ListEndpoint } from './endpoint.ts'
import type { ListOptions } from './list.ts'

export type {
  Dashboard,
  DashboardCreate,
  DashboardUpdate,
  DashboardWorkspace,
  DashboardWorkspacesChange,
  DashboardWorkspacesChanged,
  LinkCheck,
} from './dashboards.schema.ts'

/** Not paged, searched or sorted by the server. */
export const dashboardList = {
  columns: ['id', 'name', 'description', 'embed_link'],
  moreColumns: ['workspaces_count'],
} as const satisfies ListOptions

export const listDashboards: Endpoint<typeof schema.listDashboards> = {
  method: 'GET',
  url: '/api/v1/powerbi_dashboards/',
  config: { access: 'super_admin' },
}

export const getDashboard: Endpoint<typeof schema.getDashboard> = {
  method: 'GET',
  url: '/api/v1/powerbi_dashboards/:id',
  config: { access: 'super_admin' },
}

export const createDashboard: Endpoint<typeof schema.createDashboard> = {
  method: 'POST',
  url: '/api/v1/powerbi_dashboards/',
  config: { access: 'super_admin' },
}

export const updateDashboard: Endpoint<typeof schema.updateDashboard> = {
  method: 'PATCH',
  url: '/api/v1/powerbi_dashboards/:id',
  config: { access: 'super_admin' },
}

export const deleteDashboard: Endpoint<typeof schema.deleteDashboard> = {
  method: 'DELETE',
  url: '/api/v1/powerbi_dashboards/:id',
  config: { access: 'super_admin' },
}

export const restoreDashboard: Endpoint<typeof schema.restoreDashboard> = {
  method: 'POST',
  url: '/api/v1/powerbi_dashboards/:id/restore',
  config: { access: 'super_admin' },
}

export const dashboardWorkspaceList = {
  search: 'Search workspaces',
  sorts: ['id', 'name', 'status'],
} as const satisfies ListOptions

export const listDashboardWorkspaces: ListEndpoint<
  typeof schema.listDashboardWorkspaces,
  typeof dashboardWorkspaceList
> = {
  method: 'GET',
  url: '/api/v1/powerbi_dashboards/:id/workspaces',
  config: { access: 'super_admin' },
  list: dashboardWorkspaceList,
}

export const changeDashboardWorkspaces: Endpoint<typeof schema.changeDashboardWorkspaces> = {
  method: 'POST',
  url: '/api/v1/powerbi_dashboards/:id/workspaces',
  config: { access: 'super_admin' },
}

/** POST, because it makes the server send requests to other sites. */
export const checkDashboardLinks: Endpoint<typeof schema.checkDashboardLinks> = {
  method: 'POST',
  url: '/api/v1/powerbi_dashboards/check_links',
  config: { access: 'super_admin', is_read: true, is_expensive: true },
}
