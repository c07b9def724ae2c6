import type * as schema from './account.schema.ts'
import { del, get, patch, post } from './endpoint.ts'

export type * from './account.schema.ts'

/** The number of security events that are listed. */
export const ACCOUNT_EVENTS = 50

export const getAccount = get<typeof schema.getAccount>('/api/v1/account/', 'account')

export const updateAccount = patch<typeof schema.updateAccount>('/api/v1/account/', 'account', {
  is_expensive: 'with_password',
})

export const changePassword = post<typeof schema.changePassword>('/api/v1/account/password', 'account', {
  is_expensive: true,
})

export const listSessions = get<typeof schema.listSessions>('/api/v1/account/sessions/', 'account')
export const endSession = del<typeof schema.endSession>('/api/v1/account/sessions/:id', 'account')
export const endOtherSessions = del<typeof schema.endOtherSessions>('/api/v1/account/sessions/', 'account')
export const listAccountEvents = get<typeof schema.listAccountEvents>('/api/v1/account/events', 'account')
export const dismissNotices = del<typeof schema.dismissNotices>('/api/v1/account/notices', 'account')

export const addAuthenticator = post<typeof schema.addAuthenticator>('/api/v1/account/authenticator', 'account', {
  needs_recent_sign_in: true,
})

export const confirmAuthenticator = post<typeof schema.confirmAuthenticator>(
  '/api/v1/account/authenticator/confirm',
  'account',
  { needs_recent_sign_in: true, is_expensive: true },
)

export const removeAuthenticator = del<typeof schema.removeAuthenticator>('/api/v1/account/authenticator', 'account', {
  needs_recent_sign_in: true,
})

export const requestNewPasskey = post<typeof schema.requestNewPasskey>('/api/v1/account/passkeys/options', 'account', {
  needs_recent_sign_in: true,
})

export const addPasskey = post<typeof schema.addPasskey>('/api/v1/account/passkeys/', 'account', {
  needs_recent_sign_in: true,
  is_expensive: true,
})

export const renamePasskey = patch<typeof schema.renamePasskey>('/api/v1/account/passkeys/:id', 'account')

export const removePasskey = del<typeof schema.removePasskey>('/api/v1/account/passkeys/:id', 'account', {
  needs_recent_sign_in: true,
})

export const renewRecoveryCodes = post<typeof schema.renewRecoveryCodes>('/api/v1/account/recovery_codes', 'account', {
  needs_recent_sign_in: true,
  is_expensive: true,
})
