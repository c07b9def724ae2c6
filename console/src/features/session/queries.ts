import { queryOptions } from '@tanstack/react-query'
import type * as api from '@watchdesk/contract/session'
import { ApiError, type Bare, call } from '../../api/call.ts'
import { removeToken } from '../../api/token.ts'

const LOGOUT_TIMEOUT_MS = 3_000

const login: Bare<typeof api.login> = {
  method: 'POST',
  url: '/api/v1/login',
  config: { access: 'public' },
}

const logout: Bare<typeof api.logout> = {
  method: 'POST',
  url: '/api/v1/logout',
  config: { access: 'workspace_admin' },
}

const currentUser: Bare<typeof api.currentUser> = {
  method: 'GET',
  url: '/api/v1/users/me',
  config: { access: 'workspace_admin' },
}

export const currentUserQuery = queryOptions({
  queryKey: ['users', 'me'],
  queryFn: ({ signal }) => call(currentUser, { signal }).catch(endSessionOn401),
  staleTime: Number.POSITIVE_INFINITY,
})

function endSessionOn401(error: unknown): Promise<never> {
  if (!(error instanceof ApiError) || error.status !== 401) throw error
  removeToken()
  window.location.reload()
  // Pending for good: no screen shall show an error while the page goes away.
  return new Promise(() => {})
}

export function signIn(body: api.Login) {
  return call(login, { body })
}

/** One leaves in any case; the server's part of it must not keep one waiting. A whole page load, so that nothing of this person stays in memory. */
export async function signOut() {
  await call(logout, { signal: AbortSignal.timeout(LOGOUT_TIMEOUT_MS) }).catch(() => {})
  removeToken()
  window.location.assign('/login')
}
