import type * as schema from './account.schema.ts'
import { del, get, patch, post } from './endpoint.ts'

export type * from './account.schema.ts'

export const ACCOUNT_EVENTS = 50

export const getAccount = get<typeof schema.getAccount>('/account/', 'account')

export const updateAccount = patch<typeof schema.updateAccount>('/account/', 'account', {
  is_expensive: 'with_password',
})

export const changePassword = post<typeof schema.changePassword>('/account/password', 'account', { is_expensive: true })

export const listSessions = get<typeof schema.listSessions>('/account/sessions/', 'account')
export const endSession = del<typeof schema.endSession>('/account/sessions/:id', 'account')
export const endOtherSessions = del<typeof schema.endOtherSessions>('/account/sessions/', 'account')
export const listAccountEvents = get<typeof schema.listAccountEvents>('/account/events', 'account')
export const dismissNotices = del<typeof schema.dismissNotices>('/account/notices', 'account')

export const addAuthenticator = post<typeof schema.addAuthenticator>('/account/authenticator', 'account', {
  needs_recent_sign_in: true,
})

export const confirmAuthenticator = post<typeof schema.confirmAuthenticator>(
  '/account/authenticator/confirm',
  'account',
  { needs_recent_sign_in: true, is_expensive: true },
)

export const removeAuthenticator = del<typeof schema.removeAuthenticator>('/account/authenticator', 'account', {
  needs_recent_sign_in: true,
})

export const requestNewPasskey = post<typeof schema.requestNewPasskey>('/account/passkeys/options', 'account', {
  needs_recent_sign_in: true,
})

export const addPasskey = post<typeof schema.addPasskey>('/account/passkeys/', 'account', {
  needs_recent_sign_in: true,
  is_expensive: true,
})

export const renamePasskey = patch<typeof schema.renamePasskey>('/account/passkeys/:id', 'account')

export const removePasskey = del<typeof schema.removePasskey>('/account/passkeys/:id', 'account', {
  needs_recent_sign_in: true,
})

export const renewRecoveryCodes = post<typeof schema.renewRecoveryCodes>('/account/recovery_codes', 'account', {
  needs_recent_sign_in: true,
  is_expensive: true,
})
