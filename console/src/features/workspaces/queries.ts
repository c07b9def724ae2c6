import { queryOptions } from '@tanstack/react-query'
import * as catalog from '@watchdesk/contract/catalog'
import * as dashboardsApi from '@watchdesk/contract/dashboards'
import * as websiteConfigApi from '@watchdesk/contract/website-config'
import * as api from '@watchdesk/contract/workspaces'
import { call } from '../../api/call.ts'
import { ifMatch } from '../../api/if-match.ts'

export function workspacesQuery(query: api.WorkspaceQuery) {
  return queryOptions({
    queryKey: ['workspaces', 'list', query],
    queryFn: ({ signal }) => call(api.listWorkspaces, { query, signal }),
  })
}

export function workspaceQuery(id: number) {
  return queryOptions({
    queryKey: ['workspaces', 'one', id],
    queryFn: ({ signal }) => call(api.getWorkspace, { params: { id }, signal }),
  })
}

export function createWorkspace(body: api.WorkspaceBody) {
  return call(api.createWorkspace, { body })
}

export function updateWorkspace(id: number, body: api.WorkspaceBody, headers: { 'if-match'?: string }) {
  return call(api.updateWorkspace, { params: { id }, body, headers })
}

export function deleteWorkspace({ id, version }: Pick<api.Workspace, 'id' | 'version'>) {
  return call(api.deleteWorkspace, { params: { id }, headers: ifMatch(version) })
}

export function restoreWorkspace({ id }: Pick<api.Workspace, 'id'>) {
  return call(api.restoreWorkspace, { params: { id } })
}

/** All that the workspace form offers to choose from. */
export const choicesQuery = queryOptions({
  queryKey: ['workspaces', 'choices'],
  queryFn: async ({ signal }) => {
    const [roles, featureflags, caseTypes, models, dashboards] = await Promise.all([
      call(catalog.allRoles, { signal }),
      call(catalog.allFeatureflags, { signal }),
      call(catalog.caseTypes, { signal }),
      call(catalog.vectorizationModels, { signal }),
      call(dashboardsApi.listDashboards, { signal }),
    ])
    return { roles, featureflags, caseTypes, models, dashboards: dashboards.objects }
  },
})

export type Choices = Awaited<ReturnType<NonNullable<typeof choicesQuery.queryFn>>>

/** What a new workspace starts with. */
export const defaultsQuery = queryOptions({
  queryKey: ['workspaces', 'defaults'],
  queryFn: async ({ signal }) => {
    const [roles, config] = await Promise.all([
      call(catalog.availableRoles, { signal }),
      call(websiteConfigApi.getWebsiteConfig, { signal }),
    ])
    return { roles, config }
  },
})

export type Defaults = Awaited<ReturnType<NonNullable<typeof defaultsQuery.queryFn>>>
