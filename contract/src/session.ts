import type { Endpoint } from './endpoint.ts'
import type * as schema from './session.schema.ts'

export type { CurrentUser, Login, Session } from './session.schema.ts'

export const login: Endpoint<typeof schema.login> = {
  method: 'POST',
  url: '/api/v1/login',
  config: { access: 'public' },
}

export const logout: Endpoint<typeof schema.logout> = {
  method: 'POST',
  url: '/api/v1/logout',
  config: { access: 'workspace_admin' },
}

export const currentUser: Endpoint<typeof schema.currentUser> = {
  method: 'GET',
  url: '/api/v1/users/me',
  config: { access: 'workspace_admin' },
}
