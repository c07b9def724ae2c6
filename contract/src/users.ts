import type { Endpoint, ListEndpoint } from './endpoint.ts'
import { FILE_TYPES } from './file-types.ts'
import { TIMEOUT_MS } from './limits.ts'
import type { ListOptions } from './list.ts'
import type * as schema from './users.schema.ts'

export type {
  CreatedUser,
  Invitation,
  ListedUser,
  User,
  UserCreate,
  UserDetails,
  UserFileQuery,
  UserFilter,
  UserQuery,
  UserRestore,
  UserUpdate,
} from './users.schema.ts'

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
      options: { UNDERPRIVILEGED: 'UNDERPRIVILEGED', STANDARD: 'STANDARD', MODERATOR: 'MODERATOR' },
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

export const listUsers: ListEndpoint<typeof schema.listUsers, typeof userList> = {
  method: 'GET',
  url: '/api/v1/users/',
  config: { access: 'workspace_admin' },
  list: userList,
}

export const downloadUsers: Endpoint<typeof schema.downloadUsers> = {
  method: 'GET',
  url: '/api/v1/users/file',
  config: {
    access: 'workspace_admin',
    is_expensive: true,
    timeout_ms: TIMEOUT_MS.stories,
    response_types: Object.values(FILE_TYPES),
  },
}

export const getUser: Endpoint<typeof schema.getUser> = {
  method: 'GET',
  url: '/api/v1/users/:id',
  config: { access: 'workspace_admin' },
}

export const createUser: Endpoint<typeof schema.createUser> = {
  method: 'POST',
  url: '/api/v1/users/',
  config: { access: 'workspace_admin', is_expensive: 'with_password' },
}

export const updateUser: Endpoint<typeof schema.updateUser> = {
  method: 'PATCH',
  url: '/api/v1/users/:id',
  config: { access: 'workspace_admin', is_expensive: 'with_password' },
}

export const deleteUser: Endpoint<typeof schema.deleteUser> = {
  method: 'DELETE',
  url: '/api/v1/users/:id',
  config: { access: 'workspace_admin' },
}

export const restoreUser: Endpoint<typeof schema.restoreUser> = {
  method: 'POST',
  url: '/api/v1/users/:id/restore',
  config: { access: 'workspace_admin' },
}

export const unlockUser: Endpoint<typeof schema.unlockUser> = {
  method: 'POST',
  url: '/api/v1/users/:id/unlock',
  config: { access: 'workspace_admin' },
}

export const inviteUser: Endpoint<typeof schema.inviteUser> = {
  method: 'POST',
  url: '/api/v1/users/:id/invite',
  config: { access: 'workspace_admin', is_expensive: true },
}
