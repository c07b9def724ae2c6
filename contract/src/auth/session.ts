import type { Endpoint } from '../endpoint.ts'
import type * as schema from './session.schema.ts'

export type {
  CurrentUser,
  Login,
  NewAuthenticator,
  Notice,
  PendingSignIn,
  Session,
  SignedInWithCodes,
  SignInOptions,
} from './session.schema.ts'

export const SECOND_FACTORS = ['authenticator', 'passkey', 'recovery_code'] as const
export type SecondFactor = (typeof SECOND_FACTORS)[number]
export const NEXT_STEPS = ['second_factor', 'set_up'] as const
/** The answer to a second factor that comes too late. */
export const SIGN_IN_EXPIRED = 'This sign-in has expired. Start again.'
/** How a user signed in. */
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
/** What others may have changed about how a user signs in. */
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

export const login: Endpoint<typeof schema.login> = {
  method: 'POST',
  url: '/api/v1/login',
  config: { access: 'public' },
}

export const logout: Endpoint<typeof schema.logout> = {
  method: 'POST',
  url: '/api/v1/logout',
  config: { access: 'account' },
}

export const currentUser: Endpoint<typeof schema.currentUser> = {
  method: 'GET',
  url: '/api/v1/users/me',
  config: { access: 'workspace_admin' },
}

export const getSignInOptions: Endpoint<typeof schema.getSignInOptions> = {
  method: 'GET',
  url: '/api/v1/login/options',
  config: { access: 'public' },
}

export const enterCode: Endpoint<typeof schema.enterCode> = {
  method: 'POST',
  url: '/api/v1/login/code',
  config: { access: 'signing_in' },
}

export const requestSecondPasskey: Endpoint<typeof schema.requestSecondPasskey> = {
  method: 'POST',
  url: '/api/v1/login/second_passkey/options',
  config: { access: 'signing_in' },
}

export const enterSecondPasskey: Endpoint<typeof schema.enterSecondPasskey> = {
  method: 'POST',
  url: '/api/v1/login/second_passkey',
  config: { access: 'signing_in' },
}

export const requestPasskey: Endpoint<typeof schema.requestPasskey> = {
  method: 'POST',
  url: '/api/v1/login/passkey/options',
  config: { access: 'public' },
}

export const signInWithPasskey: Endpoint<typeof schema.signInWithPasskey> = {
  method: 'POST',
  url: '/api/v1/login/passkey',
  config: { access: 'public' },
}

export const startAuthenticatorSetUp: Endpoint<typeof schema.startAuthenticatorSetUp> = {
  method: 'POST',
  url: '/api/v1/login/set_up/authenticator',
  config: { access: 'signing_in' },
}

export const finishAuthenticatorSetUp: Endpoint<typeof schema.finishAuthenticatorSetUp> = {
  method: 'POST',
  url: '/api/v1/login/set_up/authenticator/confirm',
  config: { access: 'signing_in' },
}

export const startPasskeySetUp: Endpoint<typeof schema.startPasskeySetUp> = {
  method: 'POST',
  url: '/api/v1/login/set_up/passkey/options',
  config: { access: 'signing_in' },
}

export const finishPasskeySetUp: Endpoint<typeof schema.finishPasskeySetUp> = {
  method: 'POST',
  url: '/api/v1/login/set_up/passkey',
  config: { access: 'signing_in' },
}

/** The sign-in starts at `/sso/start`, and the provider sends the browser back to `/sso/callback`. */
export const finishSso: Endpoint<typeof schema.finishSso> = {
  method: 'POST',
  url: '/api/v1/login/sso',
  config: { access: 'public' },
}
