import { del, get, getList, post, put } from './endpoint.ts'
import { WORKSPACE_STATUSES } from './enums.ts'
import { TABLE_FILE } from './file-types.ts'
import { type ListOptions, unlabeled } from './list.ts'
import type * as schema from './workspaces.schema.ts'

export type * from './workspaces.schema.ts'

export const workspaceList = {
  search: 'Search name or description',
  sorts: ['id', 'name', 'status', 'trial_end_date', 'analytical_quota', 'ai_quota'],
  filters: {
    status: {
      label: 'Status',
      placeholder: 'All statuses',
      isMultiple: true,
      options: { IN_USE: 'All but deactivated', ...unlabeled(WORKSPACE_STATUSES), NONE: 'No status' },
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

export const listWorkspaces = getList<typeof schema.listWorkspaces>('/workspaces/', 'workspace_admin', workspaceList)

export const downloadWorkspaces = get<typeof schema.downloadWorkspaces>(
  '/workspaces/file',
  'workspace_admin',
  TABLE_FILE,
)

export const getWorkspace = get<typeof schema.getWorkspace>('/workspaces/:id', 'workspace_admin')
export const workspaceImpact = get<typeof schema.workspaceImpact>('/workspaces/:id/impact', 'super_admin')
export const createWorkspace = post<typeof schema.createWorkspace>('/workspaces/', 'super_admin')
export const updateWorkspace = put<typeof schema.updateWorkspace>('/workspaces/:id', 'super_admin')
export const deleteWorkspace = del<typeof schema.deleteWorkspace>('/workspaces/:id', 'super_admin')
export const restoreWorkspace = post<typeof schema.restoreWorkspace>('/workspaces/:id/restore', 'super_admin')
