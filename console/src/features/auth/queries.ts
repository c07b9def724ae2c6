import { queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/auth/session'
import { ApiError, call } from '../../api/call.ts'
import {
  isSignedInThroughSso,
  readToken,
  rememberSeesEverything,
  removeToken,
  tokenOfThisUser,
} from '../../api/token.ts'

const LOGOUT_TIMEOUT_MS = 3_000
const ASK_AGAIN_MS = 5_000
/** Signs out at the provider too, and returns to the login page. */
const SSO_LOGOUT = '/sso/logout'

export const currentUserQuery = queryOptions({
  queryKey: ['users', 'me'],
  queryFn: ({ signal }) => loadCurrentUser(signal),
  staleTime: Number.POSITIVE_INFINITY,
  // The menu depends on it, and nothing else would retry it.
  refetchInterval: ({ state }) => state.status === 'error' && ASK_AGAIN_MS,
})

/** Whether the backend has the calls about a user's own account, sessions and invitations. Others have no notices. */
export function hasAccount(user: api.CurrentUser | undefined) {
  return user?.notices !== undefined
}

/** Whether users of the server can sign in with a password. Other backends do not say. */
export function hasPasswords(user: api.CurrentUser | undefined) {
  return user?.password_login !== false
}

/** Auditors see what super admins see. Other backends have no auditors. */
export function seesEverything(me: Partial<Pick<api.CurrentUser, 'is_super_admin' | 'is_auditor'>> | undefined) {
  return me?.is_super_admin === true || me?.is_auditor === true
}

async function loadCurrentUser(signal: AbortSignal): Promise<api.CurrentUser> {
  const token = readToken()
  try {
    const user = await call(api.currentUser, { signal, signInAgain: false })
    rememberSeesEverything(seesEverything(user))
    return user
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    // The user signed in again while this call was on its way.
    const isReplaced = readToken() !== null && readToken() !== token
    return isReplaced ? loadCurrentUser(signal) : endSession()
  }
}

function endSession(): Promise<never> {
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
  const token = await tokenOfThisUser()
  if (token !== null) await endSessionOf(token)
  leave()
}

/** Without a word if the session has ended already, or the server does not respond. */
export function endSessionOf(token: string) {
  return call(api.logout, { token, signal: AbortSignal.timeout(LOGOUT_TIMEOUT_MS) }).catch(() => {})
}

/** A full page load, so that nothing of this user stays in memory. */
export function leave() {
  const address = isSignedInThroughSso() ? SSO_LOGOUT : '/login'
  removeToken()
  window.location.assign(address)
}
