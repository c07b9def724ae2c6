import { z } from 'zod'
import { callOf, Nothing, resultOf } from '../endpoint.schema.ts'
import * as field from '../fields.schema.ts'
import { LENGTH, PASSKEY_ANSWER_LENGTH } from '../limits.ts'
import { ChosenColumns } from '../saved-views.schema.ts'
import { Password, User } from '../users.schema.ts'
import { NEXT_STEPS, NOTICES, SECOND_FACTORS } from './session.ts'

export const Login = z.strictObject({ email: field.email(), password: Password })
export const Session = field.object('The new session', {
  access_token: z.string().meta({ description: 'Send it with every other call, as a bearer token' }),
})

export const PendingSignIn = field.object('The rest of the sign-in', {
  sign_in_token: z.string().meta({
    description: 'Send it as a bearer token with the call that finishes the sign-in. It is of no use for other calls',
  }),
  next: field.about(z.enum(NEXT_STEPS), 'Whether a second factor has to be entered, or set up first', 'second_factor'),
  methods: field.about(z.array(z.enum(SECOND_FACTORS)), 'The second factors that can be entered', [
    'authenticator',
    'recovery_code',
  ]),
  expires_at: field.timestamp('Until when the sign-in can be finished'),
})

export const Notice = z.object({
  id: field.Id,
  kind: field.about(z.enum(NOTICES), 'What was changed', 'second_factor_reset'),
  by: field.stringOrNull('Who changed it. Null if it was the operator', 'Olena Kovalenko'),
  at: field.timestamp('When it was changed'),
})

/** What other backends do not know is missing. */
export const CurrentUser = User.extend({
  columns: ChosenColumns.optional(),
  notices: z.array(Notice).optional().describe('What others changed about how you sign in, until you dismiss it'),
  password_login: z.boolean().optional().describe('Whether users can sign in with a password'),
}).describe('The signed-in user')

export type Login = z.infer<typeof Login>
export type Session = z.infer<typeof Session>
export type PendingSignIn = z.infer<typeof PendingSignIn>
export type CurrentUser = z.infer<typeof CurrentUser>
export type Notice = z.infer<typeof Notice>
export type SignInOptions = z.infer<typeof SignInOptions>
export type NewAuthenticator = z.infer<typeof NewAuthenticator>
export type SignedInWithCodes = z.infer<typeof SignedInWithCodes>

export const login = callOf(
  'Sign in',
  Login,
  z.union([Session, PendingSignIn]).describe('The session, or what the sign-in still lacks'),
)

export const logout = { summary: 'Sign out', response: { 204: Nothing } }

export const currentUser = resultOf('Read the signed-in user', CurrentUser)

export const SignInOptions = field.object('The ways to sign in', {
  password: z.boolean().describe('Whether you can sign in with a password or a passkey'),
  forgotten_password: z.boolean().describe('Whether a link to choose another password can be sent by mail'),
  sso: field.objectOrNull('Single sign-on. Null if it is not set up', {
    label: field.string('Name of the provider', 'Google'),
  }),
})

export const getSignInOptions = resultOf('Read the ways to sign in', SignInOptions)

export const Code = field.about(
  field.requiredText(40, 'Code is required!'),
  'The code of the authenticator app, or a recovery code',
  '123456',
)

export const PasskeyAnswer = field.about(
  z
    .record(field.text(LENGTH.name), z.unknown())
    .refine(
      (answer) => JSON.stringify(answer).length <= PASSKEY_ANSWER_LENGTH,
      'The answer of the passkey is too long.',
    ),
  'The answer of the browser, as JSON',
  { id: 'Ab3dEf', type: 'public-key' },
)

export const PasskeyOptions = field.object('A request for a passkey', {
  options: z.record(z.string(), z.unknown()).meta({ description: 'What to pass to the browser, as JSON' }),
})

export const enterCode = callOf(
  'Finish a sign-in with a code of the authenticator app, or a recovery code',
  z.strictObject({ code: Code }),
  Session.extend({
    recovery_codes_left: field
      .count('Number of recovery codes that are left. Missing if another code was used')
      .optional(),
  }).describe('The new session'),
)

export const requestSecondPasskey = resultOf('Request a passkey as second factor', PasskeyOptions)

const PasskeyLogin = z.strictObject({ answer: PasskeyAnswer })

export const enterSecondPasskey = callOf('Finish a sign-in with a passkey', PasskeyLogin, Session)

export const requestPasskey = resultOf('Request a passkey to sign in with', PasskeyOptions)

export const signInWithPasskey = callOf('Sign in with a passkey instead of a password', PasskeyLogin, Session)

export const NewAuthenticator = field.object('A new secret for an authenticator app', {
  secret: field.string('The secret, to type it into the app', 'JBSWY3DPEHPK3PXP'),
  address: field.string('The same as an address', 'otpauth://totp/Watchdesk:olena'),
  qr_code: field.object('The address as a QR code', {
    size: field.int('Width and height in squares', 41, { min: 21, max: 177 }),
    path: field.string('The dark squares, as an SVG path', 'M0 0h7v1H0z'),
  }),
})

export const RecoveryCodes = field.about(
  z.array(z.string()),
  'Each can be used once instead of a second factor. They are shown only this once',
  ['b4kq-9xzm-7r2w'],
)

export const SignedInWithCodes = Session.extend({ recovery_codes: RecoveryCodes }).describe('The new session')

export const startAuthenticatorSetUp = resultOf(
  'Start to set up an authenticator app during a sign-in that needs one',
  NewAuthenticator,
)

export const finishAuthenticatorSetUp = callOf(
  'Set up the authenticator app and finish the sign-in',
  z.strictObject({ code: Code }),
  SignedInWithCodes,
)

export const startPasskeySetUp = resultOf('Start to set up a passkey during a sign-in that needs one', PasskeyOptions)

export const PasskeyName = field.requiredText(LENGTH.name, 'Name is required!').meta({ examples: ['Work laptop'] })

export const finishPasskeySetUp = callOf(
  'Set up the passkey and finish the sign-in',
  z.strictObject({ name: PasskeyName, answer: PasskeyAnswer }),
  SignedInWithCodes,
)

export const finishSso = resultOf('Finish a single sign-on, for the browser that started it', Session)
