import type { Endpoint } from '../endpoint.ts'
import type * as schema from './user-access.schema.ts'

export type { SecondFactorReset, SecondFactorResetOptions, UserAccess } from './user-access.schema.ts'

export const getUserAccess: Endpoint<typeof schema.getUserAccess> = {
  method: 'GET',
  url: '/api/v1/users/:id/access',
  config: { access: 'workspace_admin' },
}

export const endUserSessions: Endpoint<typeof schema.endUserSessions> = {
  method: 'POST',
  url: '/api/v1/users/:id/end_sessions',
  config: { access: 'workspace_admin' },
}

export const endUserTokens: Endpoint<typeof schema.endUserTokens> = {
  method: 'POST',
  url: '/api/v1/users/:id/end_tokens',
  config: { access: 'workspace_admin' },
}

export const resetSecondFactor: Endpoint<typeof schema.resetSecondFactor> = {
  method: 'POST',
  url: '/api/v1/users/:id/reset_second_factor',
  config: { access: 'workspace_admin', needs_recent_sign_in: true },
}
