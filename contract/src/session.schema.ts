import { z } from 'zod'
import { email, Nothing } from './fields.schema.ts'
import { ChosenColumns } from './saved-views.schema.ts'
import { Password, User } from './users.schema.ts'

export const Login = z.strictObject({ email: email(), password: Password })
export const Session = z
  .object({ access_token: z.string().meta({ description: 'Send it with every other call, as a bearer token' }) })
  .describe('The new session')

/** The columns are missing if the backend cannot keep them. */
export const CurrentUser = User.extend({ columns: ChosenColumns.optional() }).describe('The signed-in user')

export type Login = z.infer<typeof Login>
export type Session = z.infer<typeof Session>
export type CurrentUser = z.infer<typeof CurrentUser>

export const login = { summary: 'Sign in', body: Login, response: { 200: Session } }

export const logout = { summary: 'Sign out', response: { 204: Nothing } }

export const currentUser = { summary: 'Read the signed-in user', response: { 200: CurrentUser } }
