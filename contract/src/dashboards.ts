import type * as schema from './dashboards.schema.ts'
import type { Endpoint } from './endpoint.ts'

export type { Dashboard, DashboardCreate, DashboardUpdate } from './dashboards.schema.ts'

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
