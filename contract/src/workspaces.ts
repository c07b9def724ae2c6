import type { Endpoint, ListEndpoint } from './endpoint.ts'
import type { ListOptions } from './list.ts'
import type * as schema from './workspaces.schema.ts'

export type {
  Workspace,
  WorkspaceBody,
  WorkspaceQuery,
  WorkspaceRestore,
  WorkspaceSettings,
} from './workspaces.schema.ts'

export const workspaceList = {
  search: 'Search name or description',
  sorts: ['id', 'name', 'status'],
} as const satisfies ListOptions

export const listWorkspaces: ListEndpoint<typeof schema.listWorkspaces, typeof workspaceList> = {
  method: 'GET',
  url: '/api/v1/workspaces/',
  config: { access: 'workspace_admin' },
  list: workspaceList,
}

export const getWorkspace: Endpoint<typeof schema.getWorkspace> = {
  method: 'GET',
  url: '/api/v1/workspaces/:id',
  config: { access: 'workspace_admin' },
}

export const createWorkspace: Endpoint<typeof schema.createWorkspace> = {
  method: 'POST',
  url: '/api/v1/workspaces/',
  config: { access: 'super_admin' },
}

export const updateWorkspace: Endpoint<typeof schema.updateWorkspace> = {
  method: 'PUT',
  url: '/api/v1/workspaces/:id',
  config: { access: 'super_admin' },
}

export const deleteWorkspace: Endpoint<typeof schema.deleteWorkspace> = {
  method: 'DELETE',
  url: '/api/v1/workspaces/:id',
  config: { access: 'super_admin' },
}

export const restoreWorkspace: Endpoint<typeof schema.restoreWorkspace> = {
  method: 'POST',
  url: '/api/v1/workspaces/:id/restore',
  config: { access: 'super_admin' },
}
