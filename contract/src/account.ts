import type * as schema from './account.schema.ts'
import type { Endpoint } from './endpoint.ts'

export type { Account, AccountUpdate, Passkey, SecondFactorState, SessionInfo } from './account.schema.ts'

/** The number of security events that are listed. */
export const ACCOUNT_EVENTS = 50

export const getAccount: Endpoint<typeof schema.getAccount> = {
  method: 'GET',
  url: '/api/v1/account/',
  config: { access: 'account' },
}

export const updateAccount: Endpoint<typeof schema.updateAccount> = {
  method: 'PATCH',
  url: '/api/v1/account/',
  config: { access: 'account', is_expensive: 'with_password' },
}

export const changePassword: Endpoint<typeof schema.changePassword> = {
  method: 'POST',
  url: '/api/v1/account/password',
  config: { access: 'account', is_expensive: true },
}

export const listSessions: Endpoint<typeof schema.listSessions> = {
  method: 'GET',
  url: '/api/v1/account/sessions/',
  config: { access: 'account' },
}

export const endSession: Endpoint<typeof schema.endSession> = {
  method: 'DELETE',
  url: '/api/v1/account/sessions/:id',
  config: { access: 'account' },
}

export const endOtherSessions: Endpoint<typeof schema.endOtherSessions> = {
  method: 'DELETE',
  url: '/api/v1/account/sessions/',
  config: { access: 'account' },
}

export const listAccountEvents: Endpoint<typeof schema.listAccountEvents> = {
  method: 'GET',
  url: '/api/v1/account/events',
  config: { access: 'account' },
}

export const dismissNotices: Endpoint<typeof schema.dismissNotices> = {
  method: 'DELETE',
  url: '/api/v1/account/notices',
  config: { access: 'account' },
}

export const addAuthenticator: Endpoint<typeof schema.addAuthenticator> = {
  method: 'POST',
  url: '/api/v1/account/authenticator',
  config: { access: 'account', needs_recent_sign_in: true },
}

export const confirmAuthenticator: Endpoint<typeof schema.confirmAuthenticator> = {
  method: 'POST',
  url: '/api/v1/account/authenticator/confirm',
  config: { access: 'account', needs_recent_sign_in: true, is_expensive: true },
}

export const removeAuthenticator: Endpoint<typeof schema.removeAuthenticator> = {
  method: 'DELETE',
  url: '/api/v1/account/authenticator',
  config: { access: 'account', needs_recent_sign_in: true },
}

export const requestNewPasskey: Endpoint<typeof schema.requestNewPasskey> = {
  method: 'POST',
  url: '/api/v1/account/passkeys/options',
  config: { access: 'account', needs_recent_sign_in: true },
}

export const addPasskey: Endpoint<typeof schema.addPasskey> = {
  method: 'POST',
  url: '/api/v1/account/passkeys/',
  config: { access: 'account', needs_recent_sign_in: true, is_expensive: true },
}

export const renamePasskey: Endpoint<typeof schema.renamePasskey> = {
  method: 'PATCH',
  url: '/api/v1/account/passkeys/:id',
  config: { access: 'account' },
}

export const removePasskey: Endpoint<typeof schema.removePasskey> = {
  method: 'DELETE',
  url: '/api/v1/account/passkeys/:id',
  config: { access: 'account', needs_recent_sign_in: true },
}

export const renewRecoveryCodes: Endpoint<typeof schema.renewRecoveryCodes> = {
  method: 'POST',
  url: '/api/v1/account/recovery_codes',
  config: { access: 'account', needs_recent_sign_in: true, is_expensive: true },
}
