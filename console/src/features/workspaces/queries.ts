import { queryOptions } from '@tanstack/react-query'
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
