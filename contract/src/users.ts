import { del, get, getList, patch, post } from './endpoint.ts'
import { USER_TYPES } from './enums.ts'
import { TABLE_FILE } from './file-types.ts'
import { type ListOptions, unlabeled } from './list.ts'
import type * as schema from './users.schema.ts'

export type * from './users.schema.ts'

/** Defaults for a new user. Not zod defaults, which would also apply to a PATCH. */
export const USER_DEFAULTS = { is_admin: false, is_super_admin: false, type: 'STANDARD', language: '' } as const

export const userList = {
  search: 'Search name or email',
  sorts: ['id', 'full_name', 'email'],
  byWorkspace: true,
  filters: {
    role: {
      label: 'Role',
      placeholder: 'All roles',
      options: { super_admin: 'Super admin', admin: 'Workspace admin', auditor: 'Auditor', none: 'No admin rights' },
    },
    type: {
      label: 'Type',
      placeholder: 'All types',
      options: unlabeled(USER_TYPES),
    },
    language: {
      label: 'Language',
      placeholder: 'All languages',
      options: { EN: 'English', UK: 'Ukrainian', auto: 'Auto' },
    },
    sign_in: { label: 'Sign-in', placeholder: 'All', options: { never: 'Never signed in' } },
    locked: { label: 'Locked', placeholder: 'All', options: { yes: 'Locked' } },
  },
  values: {
    signed_in_from: { label: 'Last sign-in from', kind: 'day' },
    signed_in_to: { label: 'Last sign-in until', kind: 'day' },
  },
  include: ['last_sign_in_at'],
  columns: ['id', 'workspace', 'full_name', 'email', 'roles', 'type', 'language'],
  moreColumns: ['last_sign_in_at'],
} as const satisfies ListOptions

export const listUsers = getList<typeof schema.listUsers, typeof userList>(
  '/api/v1/users/',
  'workspace_admin',
  userList,
)

export const downloadUsers = get<typeof schema.downloadUsers>('/api/v1/users/file', 'workspace_admin', TABLE_FILE)

export const getUser = get<typeof schema.getUser>('/api/v1/users/:id', 'workspace_admin')

export const createUser = post<typeof schema.createUser>('/api/v1/users/', 'workspace_admin', {
  is_expensive: 'with_password',
})

export const updateUser = patch<typeof schema.updateUser>('/api/v1/users/:id', 'workspace_admin', {
  is_expensive: 'with_password',
})

export const deleteUser = del<typeof schema.deleteUser>('/api/v1/users/:id', 'workspace_admin')
export const restoreUser = post<typeof schema.restoreUser>('/api/v1/users/:id/restore', 'workspace_admin')
export const unlockUser = post<typeof schema.unlockUser>('/api/v1/users/:id/unlock', 'workspace_admin')

export const inviteUser = post<typeof schema.inviteUser>('/api/v1/users/:id/invite', 'workspace_admin', {
  is_expensive: true,
})
