import { z } from 'zod'
import { SecondFactorState, SessionInfo } from '../account.schema.ts'
import { actionOf, IdParams, readOf, sendOf } from '../endpoint.schema.ts'
import * as field from '../fields.schema.ts'
import { Invitation } from '../users.schema.ts'
import { Token } from './tokens.schema.ts'

export const UserAccess = field.object('How the user signs in', {
  has_password: z.boolean().describe('False if the user was invited or only signs in through single sign-on'),
  invitation_expires_at: field.timestamp('When the link to choose a password expires').nullable(),
  sessions: z.array(SessionInfo).describe('The sessions, last used first'),
  tokens: z.array(Token).describe('The tokens, newest first'),
  second_factor: SecondFactorState.describe('The second factors'),
  failed_count: field.count('Number of failed attempts to sign in in the last ten minutes'),
  locked_until: field.timestamp('When the user can sign in again after too many failed attempts').nullable(),
  last_failed_at: field.timestamp('When someone last failed to sign in as the user').nullable(),
})

export type UserAccess = z.infer<typeof UserAccess>

export const getUserAccess = readOf('Read how a user signs in', UserAccess)

const SessionToEnd = field.Id.optional().describe('The session to end. Without it, all end')
const TokenToEnd = field.Id.optional().describe('The token to delete. Without it, all are deleted')

export const endUserSessions = {
  ...sendOf('End sessions of a user', z.strictObject({ session_id: SessionToEnd })),
  params: IdParams,
}

export const endUserTokens = {
  ...sendOf('Delete tokens of a user', z.strictObject({ token_id: TokenToEnd })),
  params: IdParams,
}

export const SecondFactorReset = field.object('What the user needs next', {
  invitation: Invitation.nullable().describe(
    'The link to choose a password. Null if the user keeps theirs, or needs none',
  ),
})

export type SecondFactorReset = z.infer<typeof SecondFactorReset>

const SecondFactorResetOptions = z.strictObject({
  end_tokens: z.boolean().default(true).describe('Whether the tokens of the user are deleted too'),
  require_new_password: z
    .boolean()
    .default(true)
    .describe('Whether the password, if any, stops working, and the user gets a link to choose one'),
})

export type SecondFactorResetOptions = z.infer<typeof SecondFactorResetOptions>

export const resetSecondFactor = actionOf(
  'Remove the second factors of a user, who is signed out everywhere and notified',
  SecondFactorResetOptions.prefault({}),
  SecondFactorReset,
)
