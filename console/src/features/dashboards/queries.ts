import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/dashboards'
import { PAGE_SIZE } from '@watchdesk/contract/limits'
import type { ListQuery } from '@watchdesk/contract/list'
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

/** A page of the workspaces that show the dashboard. */
export function dashboardWorkspacesQuery(id: number, query: ListQuery<typeof api.dashboardWorkspaceList>) {
  return queryOptions({
    queryKey: ['dashboards', 'workspaces', id, query],
    queryFn: ({ signal }) =>
      call(api.listDashboardWorkspaces, {
        params: { id },
        query: { ...query, page: query.page ?? 1, page_size: PAGE_SIZE },
        signal,
      }),
  })
}

export function changeDashboardWorkspaces(id: number, body: api.DashboardWorkspacesChange) {
  return call(api.changeDashboardWorkspaces, { params: { id }, body })
}

export function checkLinks(ids: number[], signal: AbortSignal) {
  return call(api.checkDashboardLinks, { body: { ids, origin: window.location.origin }, signal })
}

/** Dashboards show how many workspaces list them, and workspaces list their dashboards. */
export function refreshAttachments(client: QueryClient) {
  return Promise.all(
    ['dashboards', 'workspaces', 'history'].map((key) => client.invalidateQueries({ queryKey: [key] })),
  )
}
