import { get, post } from '../endpoint.ts'
import type * as schema from './user-access.schema.ts'

export type * from './user-access.schema.ts'

export const getUserAccess = get<typeof schema.getUserAccess>('/users/:id/access', 'workspace_admin')
export const endUserSessions = post<typeof schema.endUserSessions>('/users/:id/end_sessions', 'workspace_admin')
export const endUserTokens = post<typeof schema.endUserTokens>('/users/:id/end_tokens', 'workspace_admin')

export const resetSecondFactor = post<typeof schema.resetSecondFactor>(
  '/users/:id/reset_second_factor',
  'workspace_admin',
  { needs_recent_sign_in: true },
)
