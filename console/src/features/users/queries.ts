import { queryOptions } from '@tanstack/react-query'
import * as access from '@watchdesk/contract/auth/user-access'
import * as api from '@watchdesk/contract/users'
import { call } from '../../api/call.ts'
import { download } from '../../api/download.ts'
import { ifMatch } from '../../api/if-match.ts'
import { pageQuery } from '../../api/page-query.ts'

/** The users that the caller may see, by page, search, sort and workspace. */
export const usersQuery = pageQuery(['users', 'list'], api.listUsers)

export function userQuery(id: number) {
  return queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => call(api.getUser, { params: { id }, signal }),
  })
}

/** How a user signs in. Reloaded with everything else about users. */
export function userAccessQuery(id: number) {
  return queryOptions({
    queryKey: ['users', 'access', id],
    queryFn: ({ signal }) => call(access.getUserAccess, { params: { id }, signal }),
  })
}

export function downloadUsers(query: api.UserFileQuery, signal: AbortSignal, onProgress: (bytes: number) => void) {
  return download(api.downloadUsers, { query, signal }, onProgress)
}

export function createUser(body: api.UserCreate) {
  return call(api.createUser, { body })
}

export function updateUser(id: number, body: api.UserUpdate, headers: { 'if-match'?: string }) {
  return call(api.updateUser, { params: { id }, body, headers })
}

export function deleteUser({ id, version }: api.User) {
  return call(api.deleteUser, { params: { id }, headers: ifMatch(version) })
}

export function restoreUser({ id }: api.User) {
  return call(api.restoreUser, { params: { id } })
}

export function unlockUser({ id }: api.User) {
  return call(api.unlockUser, { params: { id } })
}

/** Without a session, all of them. */
export function endUserSessions(id: number, session_id?: number) {
  return call(access.endUserSessions, { params: { id }, body: { session_id } })
}

/** Without a token, all of them. */
export function endUserTokens(id: number, token_id?: number) {
  return call(access.endUserTokens, { params: { id }, body: { token_id } })
}

export function resetSecondFactor(id: number, body: access.SecondFactorResetOptions) {
  return call(access.resetSecondFactor, { params: { id }, body })
}

export function inviteUser(id: number) {
  return call(api.inviteUser, { params: { id } })
}

export function fullName({ first_name, last_name }: Pick<api.User, 'first_name' | 'last_name'>) {
  return `${first_name} ${last_name}`
}

/** The users list, filtered to this user. */
export function inList({ email }: Pick<api.User, 'email'>) {
  return { to: '/users', search: { search: email } } as const
}
