import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listAuditEvents } from '@watchdesk/contract/activity'
import * as catalog from '@watchdesk/contract/catalog'
import * as api from '@watchdesk/contract/workspaces'
import { call } from '../../api/call.ts'
import { download } from '../../api/download.ts'
import { hasCallQuery } from '../../api/has-call.ts'
import { ifMatch } from '../../api/if-match.ts'
import { pageQuery } from '../../api/page-query.ts'
import { dashboardsQuery } from '../dashboards/queries.ts'
import { caseTypesQuery, vectorizationModelsQuery, websiteConfigQuery } from '../website-config/queries.ts'

export const workspacesQuery = pageQuery(['workspaces', 'list'], api.listWorkspaces)

export function workspaceQuery(id: number) {
  return queryOptions({
    queryKey: ['workspaces', 'one', id],
    queryFn: ({ signal }) => call(api.getWorkspace, { params: { id }, signal }),
  })
}

export function downloadWorkspaces(
  query: api.WorkspaceFileQuery,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
) {
  return download(api.downloadWorkspaces, { query, signal }, onProgress)
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

/** Whether the backend has only the calls of the specification, which the side menu finds out. */
export function isOtherBackend(client: QueryClient) {
  return client.getQueryData(hasCallQuery(listAuditEvents).queryKey) === false
}

/** Read again for every dialog, but not after the delete, while the dialog fades out. */
export function impactQuery(id: number) {
  return queryOptions({
    queryKey: ['impact', id],
    queryFn: ({ signal }) => call(api.workspaceImpact, { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

export const lifeCycleQuery = queryOptions({
  queryKey: ['catalog', 'life-cycle'],
  queryFn: ({ signal }) => call(catalog.lifeCycle, { signal }),
  retry: false,
})

const availableRolesQuery = queryOptions({
  queryKey: ['catalog', 'available-roles'],
  queryFn: ({ signal }) => call(catalog.availableRoles, { signal }),
})

export const rolesQuery = queryOptions({
  queryKey: ['catalog', 'roles'],
  queryFn: ({ signal }) => call(catalog.allRoles, { signal }),
})

export const featureflagsQuery = queryOptions({
  queryKey: ['catalog', 'featureflags'],
  queryFn: ({ signal }) => call(catalog.allFeatureflags, { signal }),
})

/** All options of the workspace form. Each query has its own stale time. */
export const choicesQuery = queryOptions({
  queryKey: ['workspaces', 'choices'],
  queryFn: async ({ client }) => {
    const [roles, featureflags, caseTypes, models, dashboards] = await Promise.all([
      client.fetchQuery(rolesQuery),
      client.fetchQuery(featureflagsQuery),
      client.fetchQuery(caseTypesQuery),
      client.fetchQuery(vectorizationModelsQuery),
      client.fetchQuery(dashboardsQuery),
    ])
    return { roles, featureflags, caseTypes, models, dashboards }
  },
  staleTime: 0,
})

export type Choices = Awaited<ReturnType<NonNullable<typeof choicesQuery.queryFn>>>

/** The values of a new workspace. */
export const defaultsQuery = queryOptions({
  queryKey: ['workspaces', 'defaults'],
  queryFn: async ({ client }) => {
    const [roles, config] = await Promise.all([
      client.fetchQuery(availableRolesQuery),
      client.fetchQuery(websiteConfigQuery),
    ])
    return { roles, config: config.values }
  },
  staleTime: 0,
})

export type Defaults = Awaited<ReturnType<NonNullable<typeof defaultsQuery.queryFn>>>
