import type { Endpoint, ListEndpoint } from './endpoint.ts'
import type { ListOptions } from './list.ts'
import type * as schema from './users.schema.ts'

export type { User, UserCreate, UserDetails, UserQuery, UserRestore, UserUpdate } from './users.schema.ts'

/** Defaults for a new user. Not zod defaults, which would also apply to a PATCH. */
export const USER_DEFAULTS = { is_admin: false, is_super_admin: false, type: 'STANDARD', language: '' } as const

export const userList = {
  search: 'Search name or email',
  sorts: ['id', 'full_name', 'email'],
  byWorkspace: true,
} as const satisfies ListOptions

export const listUsers: ListEndpoint<typeof schema.listUsers, typeof userList> = {
  method: 'GET',
  url: '/api/v1/users/',
  config: { access: 'workspace_admin' },
  list: userList,
}

export const getUser: Endpoint<typeof schema.getUser> = {
  method: 'GET',
  url: '/api/v1/users/:id',
  config: { access: 'workspace_admin' },
}

export const createUser: Endpoint<typeof schema.createUser> = {
  method: 'POST',
  url: '/api/v1/users/',
  config: { access: 'workspace_admin' },
}

export const updateUser: Endpoint<typeof schema.updateUser> = {
  method: 'PATCH',
  url: '/api/v1/users/:id',
  config: { access: 'workspace_admin' },
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
