import { get, post } from '../endpoint.ts'
import type * as schema from './session.schema.ts'

export type * from './session.schema.ts'

export const SECOND_FACTORS = ['authenticator', 'passkey', 'recovery_code'] as const
export type SecondFactor = (typeof SECOND_FACTORS)[number]
export const NEXT_STEPS = ['second_factor', 'set_up'] as const
export const SIGN_IN_EXPIRED = 'This sign-in has expired. Start again.'
export const SIGN_IN_METHODS = [
  'password',
  'password_and_code',
  'password_and_recovery_code',
  'password_and_passkey',
  'passkey',
  'sso',
  'link',
] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]
export const NOTICES = [
  'second_factor_reset',
  'password_changed',
  'password_link_used',
  'email_changed',
  'sessions_ended',
  'tokens_ended',
  'replaced_by_sso',
] as const

/** Why a single sign-on failed: the codes of `/login?sso=CODE`, and what the sign-in page shows. */
export const SSO_PROBLEMS = {
  unreachable: 'Single sign-on is not available right now. Try again in a minute.',
  refused: 'The sign-in was cancelled, or the provider refused it. Try again.',
  unverified_email: 'The provider has not verified your email address. Verify it there and try again.',
  no_account: 'You have no account here. Ask an admin to add you.',
  no_access: 'This account may not use the console. Ask an admin for access.',
  deactivated: 'Your workspace is deactivated, so you cannot sign in. Ask a super admin to activate it again.',
  expired: 'This sign-in has expired, or was started in another browser. Start again.',
  invalid: 'The answer of the provider could not be verified. Start again.',
} as const
export type SsoProblem = keyof typeof SSO_PROBLEMS

export const login = post<typeof schema.login>('/login', 'public')
export const logout = post<typeof schema.logout>('/logout', 'account')
export const currentUser = get<typeof schema.currentUser>('/users/me', 'workspace_admin')
export const getSignInOptions = get<typeof schema.getSignInOptions>('/login/options', 'public')
export const enterCode = post<typeof schema.enterCode>('/login/code', 'signing_in')

export const requestSecondPasskey = post<typeof schema.requestSecondPasskey>(
  '/login/second_passkey/options',
  'signing_in',
)

export const enterSecondPasskey = post<typeof schema.enterSecondPasskey>('/login/second_passkey', 'signing_in')
export const requestPasskey = post<typeof schema.requestPasskey>('/login/passkey/options', 'public')
export const signInWithPasskey = post<typeof schema.signInWithPasskey>('/login/passkey', 'public')

export const startAuthenticatorSetUp = post<typeof schema.startAuthenticatorSetUp>(
  '/login/set_up/authenticator',
  'signing_in',
)

export const finishAuthenticatorSetUp = post<typeof schema.finishAuthenticatorSetUp>(
  '/login/set_up/authenticator/confirm',
  'signing_in',
)

export const startPasskeySetUp = post<typeof schema.startPasskeySetUp>('/login/set_up/passkey/options', 'signing_in')

export const finishPasskeySetUp = post<typeof schema.finishPasskeySetUp>('/login/set_up/passkey', 'signing_in')

/** The sign-in starts at `/sso/start`, and the provider sends the browser back to `/sso/callback`. */
export const finishSso = post<typeof schema.finishSso>('/login/sso', 'public')
