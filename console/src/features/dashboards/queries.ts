import { queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/dashboards'
import { call } from '../../api/call.ts'
import { ifMatch } from '../../api/if-match.ts'

/** The list is not paginated. */
export const dashboardsQuery = queryOptions({
  queryKey: ['dashboards', 'list'],
  queryFn: async ({ signal }) => (await call(api.listDashboards, { signal })).objects,
})

export function dashboardQuery(id: number) {
  return queryOptions({
    queryKey: ['dashboards', 'one', id],
    queryFn: ({ signal }) => call(api.getDashboard, { params: { id }, signal }),
  })
}

export function createDashboard(body: api.DashboardCreate) {
  return call(api.createDashboard, { body })
}

export function updateDashboard(id: number, body: api.DashboardUpdate, headers: { 'if-match'?: string }) {
  return call(api.updateDashboard, { params: { id }, body, headers })
}

export function deleteDashboard({ id, version }: api.Dashboard) {
  return call(api.deleteDashboard, { params: { id }, headers: ifMatch(version) })
}

export function restoreDashboard({ id }: api.Dashboard) {
  return call(api.restoreDashboard, { params: { id } })
}
