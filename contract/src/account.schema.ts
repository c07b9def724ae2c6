import { z } from 'zod'
import { AuditEvent } from './activity.schema.ts'
import {
  Code,
  NewAuthenticator,
  PasskeyAnswer,
  PasskeyName,
  PasskeyOptions,
  RecoveryCodes,
} from './auth/session.schema.ts'
import { SIGN_IN_METHODS } from './auth/session.ts'
import { actionOf, callOf, IdParams, IfMatch, Nothing, objectsOf, resultOf, sendOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'
import { NewPassword, Password, User, UserUpdate } from './users.schema.ts'

export const Passkey = field.object('The passkey', {
  id: field.Id,
  name: z.string().meta({ examples: ['Work laptop'] }),
  created_at: field.timestamp('When it was added'),
  last_used_at: field.timestamp('When it was last used').nullable(),
})

export const SecondFactorState = z.object({
  authenticator: field.objectOrNull('The authenticator app. Null if there is none', {
    created_at: field.timestamp('When it was set up'),
  }),
  passkeys: z.array(Passkey).describe('The passkeys, oldest first'),
  recovery_codes_left: field.count('Number of recovery codes that are not used'),
})

export const Account = User.extend({
  has_password: z.boolean().describe('False if you only sign in through single sign-on'),
  second_factor: SecondFactorState.extend({
    is_required: z.boolean().describe('Whether this server requires you to use a second factor'),
  }).describe('Your second factors'),
  has_sso: z.boolean().describe('Whether you can sign in through single sign-on'),
  session_idle_minutes: field.int('After how many minutes without use a session ends', 480, { min: 1, max: 525_600 }),
  session_max_minutes: field.int('After how many minutes every session ends', 1440, { min: 1, max: 525_600 }),
  sessions_max: field.int(
    'How many sessions you can have. A new one ends the one that was not used for the longest time',
    20,
    { min: 1, max: 1_000_000 },
  ),
}).describe('Your account')

export const SessionInfo = field.object('The session', {
  id: field.Id,
  method: field.about(z.enum(SIGN_IN_METHODS), 'How the user signed in', 'password'),
  device: field.string('Browser and system, as far as they are known', 'Firefox on Linux'),
  ip: field.stringOrNull('Address of the last use', '203.0.113.7'),
  created_at: field.timestamp('When the user signed in'),
  last_seen_at: field.timestamp('When it was last used, to the minute'),
  ends_at: field.timestamp('When it ends if it is not used until then'),
  is_current: z.boolean().describe('Whether it is the session of this call'),
})

const Sessions = objectsOf(SessionInfo, 'The sessions, last used first', 'The sessions')

export type Account = z.infer<typeof Account>
export type Passkey = z.infer<typeof Passkey>
export type SecondFactorState = z.infer<typeof SecondFactorState>
export type SessionInfo = z.infer<typeof SessionInfo>
export type AccountUpdate = z.infer<typeof AccountUpdate>

export const getAccount = resultOf('Read your account', Account)

const { first_name, last_name, email, language, current_password } = UserUpdate.shape
export const AccountUpdate = z.strictObject({ first_name, last_name, email, language, current_password })

export const updateAccount = { ...callOf('Edit your account', AccountUpdate, User), headers: IfMatch }

export const changePassword = sendOf(
  'Change your password',
  z.strictObject({
    password: NewPassword.describe('The new password'),
    current_password: Password.optional().describe(
      'Your current password. Needed more than 15 minutes after you signed in',
    ),
  }),
)

export const listSessions = resultOf('List your sessions', Sessions)

export const endSession = { summary: 'End one of your sessions', params: IdParams, response: { 204: Nothing } }

export const endOtherSessions = { summary: 'End all your other sessions', response: { 204: Nothing } }

export const listAccountEvents = resultOf(
  'List the latest security events of your account',
  objectsOf(AuditEvent, 'The events, newest first', 'The events'),
)

export const dismissNotices = {
  summary: 'Dismiss notices about your account',
  querystring: z.strictObject({
    up_to: field.digits(field.Id).describe('Id of the newest notice that was shown. Later ones stay'),
  }),
  response: { 204: Nothing },
}

const NewCodes = field.object('The recovery codes', {
  recovery_codes: RecoveryCodes.nullable().describe('New recovery codes. Null if you have some already'),
})

export const addAuthenticator = resultOf('Start to set up an authenticator app', NewAuthenticator)

export const confirmAuthenticator = callOf(
  'Set up the authenticator app with its first code',
  z.strictObject({ code: Code }),
  NewCodes,
)

export const removeAuthenticator = { summary: 'Remove the authenticator app', response: { 204: Nothing } }

export const requestNewPasskey = resultOf('Start to add a passkey', PasskeyOptions)

export const addPasskey = {
  summary: 'Add a passkey',
  body: z.strictObject({ name: PasskeyName, answer: PasskeyAnswer }),
  response: { 201: NewCodes.extend({ passkey: Passkey }).describe('The passkey') },
}

export const renamePasskey = actionOf('Rename a passkey', z.strictObject({ name: PasskeyName }), Passkey)

export const removePasskey = { summary: 'Remove a passkey', params: IdParams, response: { 204: Nothing } }

export const renewRecoveryCodes = resultOf(
  'Replace your recovery codes',
  field.object('The recovery codes', { recovery_codes: RecoveryCodes }),
)
