const KEY = 'access_token'
/** Set if the user signed in through single sign-on, and removed with the token. */
const SSO_KEY = 'signed_in_through_sso'
/** Whether the user of the token sees everything, as far as known, and removed with it too. */
const SEES_EVERYTHING_KEY = 'sees_everything'

type Check = (token: string) => Promise<void>

/** Resolved for the tokens of the user of this page. */
const checked = new Map<string, Promise<void>>()
let check: Check | undefined

/** A user is signed in if and only if a token is stored. */
export function readToken() {
  return localStorage.getItem(KEY)
}

/**
 * For a call of this page. It waits until a token that another tab has stored is known to be of the same user, and never
 * resolves if it is not.
 */
export async function tokenOfThisUser() {
  const token = readToken()
  if (token === null) return null
  // The first one is that of the user whose page this becomes.
  if (!checked.has(token)) checked.set(token, check && checked.size > 0 ? check(token) : Promise.resolve())
  await checked.get(token)
  return token
}

/** Sets the check of a token that another tab has stored. It resolves only for one of the same user. */
export function onTokenToCheck(next: Check) {
  check = next
  return () => {
    if (check === next) check = undefined
  }
}

export function storeToken(token: string, { isSso = false } = {}) {
  // Before the token, whose change other tabs wait for.
  if (isSso) localStorage.setItem(SSO_KEY, 'true')
  else localStorage.removeItem(SSO_KEY)
  localStorage.removeItem(SEES_EVERYTHING_KEY)
  localStorage.setItem(KEY, token)
  checked.set(token, Promise.resolve())
}

export function removeToken() {
  localStorage.removeItem(SSO_KEY)
  localStorage.removeItem(SEES_EVERYTHING_KEY)
  localStorage.removeItem(KEY)
}

export function isSignedInThroughSso() {
  return localStorage.getItem(SSO_KEY) !== null
}

export function rememberSeesEverything(value: boolean) {
  localStorage.setItem(SEES_EVERYTHING_KEY, String(value))
}

/** Undefined if the user of the token is not known yet. */
export function sawEverything() {
  const value = localStorage.getItem(SEES_EVERYTHING_KEY)
  return value === null ? undefined : value === 'true'
}

/** Calls back when another tab signs in or out. Returns a function to unsubscribe. */
export function onTokenChangedElsewhere(listener: (token: string | null) => void) {
  function changed(event: StorageEvent) {
    // The key is null when the whole storage was cleared.
    if (event.key === KEY || event.key === null) listener(readToken())
  }
  window.addEventListener('storage', changed)
  return () => window.removeEventListener('storage', changed)
}
