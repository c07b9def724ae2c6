import type { Endpoint, ListEndpoint } from './endpoint.ts'
import { FILE_TYPES } from './file-types.ts'
import { TIMEOUT_MS } from './limits.ts'
import type { ListOptions } from './list.ts'
import type * as schema from './workspaces.schema.ts'

export type {
  ListedWorkspace,
  Workspace,
  WorkspaceBody,
  WorkspaceFileQuery,
  WorkspaceFilter,
  WorkspaceImpact,
  WorkspaceQuery,
  WorkspaceRestore,
  WorkspaceSettings,
} from './workspaces.schema.ts'

export const workspaceList = {
  search: 'Search name or description',
  sorts: ['id', 'name', 'status', 'trial_end_date', 'analytical_quota', 'ai_quota'],
  filters: {
    status: {
      label: 'Status',
      placeholder: 'All statuses',
      isMultiple: true,
      options: {
        IN_USE: 'All but deactivated',
        INTERNAL: 'INTERNAL',
        DEACTIVATED: 'DEACTIVATED',
        TRIAL: 'TRIAL',
        FREE_ACCESS: 'FREE_ACCESS',
        PAID_CLIENT: 'PAID_CLIENT',
        PAID_CLIENT_UCBI: 'PAID_CLIENT_UCBI',
        PAID_CLIENT_I3: 'PAID_CLIENT_I3',
        NONE: 'No status',
      },
    },
    trial: {
      label: 'Trial',
      placeholder: 'All',
      options: { ended: 'Ended', within_7: 'Ends within 7 days', within_30: 'Ends within 30 days' },
    },
    renewal: { label: 'Quota renewal', placeholder: 'All', options: { overdue: 'Overdue' } },
    admin: { label: 'Admins', placeholder: 'All', options: { none: 'Has no admin' } },
  },
  values: {
    trial_from: { label: 'Trial ends from', kind: 'day' },
    trial_to: { label: 'Trial ends until', kind: 'day' },
    analytical_under: { label: 'Analytical quota left, less than this percentage. 0: used up', kind: 'percent' },
    ai_under: { label: 'AI quota left, less than this percentage. 0: used up', kind: 'percent' },
    role: { label: 'Role', kind: 'name' },
    featureflag: { label: 'Feature flag', kind: 'name' },
  },
  include: ['users_count', 'last_activity_at'],
  columns: ['id', 'name', 'description', 'status', 'roles'],
  moreColumns: ['trial_end_date', 'analytical_quota', 'ai_quota', 'users_count', 'last_activity_at'],
} as const satisfies ListOptions

export const listWorkspaces: ListEndpoint<typeof schema.listWorkspaces, typeof workspaceList> = {
  method: 'GET',
  url: '/api/v1/workspaces/',
  config: { access: 'workspace_admin' },
  list: workspaceList,
}

export const downloadWorkspaces: Endpoint<typeof schema.downloadWorkspaces> = {
  method: 'GET',
  url: '/api/v1/workspaces/file',
  config: {
    access: 'workspace_admin',
    is_expensive: true,
    timeout_ms: TIMEOUT_MS.stories,
    response_types: Object.values(FILE_TYPES),
  },
}

export const getWorkspace: Endpoint<typeof schema.getWorkspace> = {
  method: 'GET',
  url: '/api/v1/workspaces/:id',
  config: { access: 'workspace_admin' },
}

export const workspaceImpact: Endpoint<typeof schema.workspaceImpact> = {
  method: 'GET',
  url: '/api/v1/workspaces/:id/impact',
  config: { access: 'super_admin' },
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
