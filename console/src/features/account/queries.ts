import { queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/account'
import * as tokens from '@watchdesk/contract/auth/tokens'
import { call } from '../../api/call.ts'

/** The start of the key of everything about the account. */
export const ACCOUNT_KEY = ['account']

export const accountQuery = queryOptions({
  queryKey: [...ACCOUNT_KEY, 'me'],
  queryFn: ({ signal }) => call(api.getAccount, { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: [...ACCOUNT_KEY, 'sessions'],
  queryFn: ({ signal }) => call(api.listSessions, { signal }),
})

export const tokensQuery = queryOptions({
  queryKey: [...ACCOUNT_KEY, 'tokens'],
  queryFn: ({ signal }) => call(tokens.listTokens, { signal }),
})

export const accountEventsQuery = queryOptions({
  queryKey: [...ACCOUNT_KEY, 'events'],
  queryFn: ({ signal }) => call(api.listAccountEvents, { signal }),
})

export function updateAccount(body: api.AccountUpdate, headers: { 'if-match'?: string }) {
  return call(api.updateAccount, { body, headers })
}

export function changePassword(body: { password: string; current_password?: string | undefined }) {
  return call(api.changePassword, { body })
}

export function endSession({ id }: api.SessionInfo) {
  return call(api.endSession, { params: { id } })
}

export function endOtherSessions() {
  return call(api.endOtherSessions)
}

export function dismissNotices(up_to: number) {
  return call(api.dismissNotices, { query: { up_to } })
}

export function addAuthenticator() {
  return call(api.addAuthenticator)
}

export function confirmAuthenticator(code: string) {
  return call(api.confirmAuthenticator, { body: { code } })
}

export function removeAuthenticator() {
  return call(api.removeAuthenticator)
}

export function requestNewPasskey() {
  return call(api.requestNewPasskey)
}

export function addPasskey(name: string, answer: Record<string, unknown>) {
  return call(api.addPasskey, { body: { name, answer } })
}

export function renamePasskey({ id }: api.Passkey, name: string) {
  return call(api.renamePasskey, { params: { id }, body: { name } })
}

export function removePasskey({ id }: api.Passkey) {
  return call(api.removePasskey, { params: { id } })
}

export function renewRecoveryCodes() {
  return call(api.renewRecoveryCodes)
}

export function createToken(body: tokens.TokenCreate) {
  return call(tokens.createToken, { body })
}

export function deleteToken({ id }: tokens.Token) {
  return call(tokens.deleteToken, { params: { id } })
}
