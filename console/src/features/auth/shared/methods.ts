import type { SignInMethod } from '@watchdesk/contract/auth/session'

/** What a user signed in with. */
export const METHODS: Record<SignInMethod, string> = {
  password: 'a password',
  password_and_code: 'a password and a code',
  password_and_recovery_code: 'a password and a recovery code',
  password_and_passkey: 'a password and a passkey',
  passkey: 'a passkey',
  sso: 'single sign-on',
  link: 'a link from the operator',
}
