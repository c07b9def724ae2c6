import { queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/session'
import { ApiError, call } from '../../api/call.ts'
import { removeToken } from '../../api/token.ts'

const LOGOUT_TIMEOUT_MS = 3_000
const ASK_AGAIN_MS = 5_000

export const currentUserQuery = queryOptions({
  queryKey: ['users', 'me'],
  queryFn: ({ signal }) => call(api.currentUser, { signal, signInAgain: false }).catch(endSessionOn401),
  staleTime: Number.POSITIVE_INFINITY,
  // The menu depends on it, and nothing else would retry it.
  refetchInterval: ({ state }) => state.status === 'error' && ASK_AGAIN_MS,
})

/** Auditors see what super admins see. Other backends have no auditors. */
export function seesEverything(me: Partial<Pick<api.CurrentUser, 'is_super_admin' | 'is_auditor'>> | undefined) {
  return me?.is_super_admin === true || me?.is_auditor === true
}

function endSessionOn401(error: unknown): Promise<never> {
  if (!(error instanceof ApiError) || error.status !== 401) throw error
  removeToken()
  window.location.reload()
  // Never resolves: no error should show while the page unloads.
  return new Promise(() => {})
}

export function signIn(body: api.Login) {
  return call(api.login, { body })
}

/** Ends the session locally even if the server does not respond. */
export async function signOut() {
  await call(api.logout, { signal: AbortSignal.timeout(LOGOUT_TIMEOUT_MS), signInAgain: false }).catch(() => {})
  leave()
}

/** A full page load, so that nothing of this user stays in memory. */
export function leave() {
  removeToken()
  window.location.assign('/login')
}
