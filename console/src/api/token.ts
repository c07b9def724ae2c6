const KEY = 'access_token'

/** A user is signed in if and only if a token is stored. */
export function readToken() {
  return localStorage.getItem(KEY)
}

export function storeToken(token: string) {
  localStorage.setItem(KEY, token)
}

export function removeToken() {
  localStorage.removeItem(KEY)
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
