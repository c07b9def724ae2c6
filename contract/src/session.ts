import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { email, Nothing } from './fields.ts'
import { Password, User } from './users.ts'

export const Login = z.strictObject({ email: email(), password: Password })
export const Session = z.object({ access_token: z.string() })

export type Login = z.infer<typeof Login>
export type Session = z.infer<typeof Session>

export const login = {
  method: 'POST',
  url: '/api/v1/login',
  config: { access: 'public' },
  schema: { summary: 'Sign in', body: Login, response: { 200: Session } },
} satisfies Endpoint

export const logout = {
  method: 'POST',
  url: '/api/v1/logout',
  config: { access: 'workspace_admin' },
  schema: { summary: 'Revoke the token of this call', response: { 204: Nothing } },
} satisfies Endpoint

export const currentUser = {
  method: 'GET',
  url: '/api/v1/users/me',
  config: { access: 'workspace_admin' },
  schema: { summary: 'The signed-in user', response: { 200: User } },
} satisfies Endpoint
