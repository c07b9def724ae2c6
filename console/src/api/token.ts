const KEY = 'access_token'
/** Set if the user signed in through single sign-on, and removed with the token. */
const SSO_KEY = 'signed_in_through_sso'

/** A user is signed in if and only if a token is stored. */
export function readToken() {
  return localStorage.getItem(KEY)
}

export function storeToken(token: string, { isSso = false } = {}) {
  // Before the token, whose change other tabs wait for.
  if (isSso) localStorage.setItem(SSO_KEY, 'true')
  else localStorage.removeItem(SSO_KEY)
  localStorage.setItem(KEY, token)
}

export function removeToken() {
  localStorage.removeItem(SSO_KEY)
  localStorage.removeItem(KEY)
}

export function isSignedInThroughSso() {
  return localStorage.getItem(SSO_KEY) !== null
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
