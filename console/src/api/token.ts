const KEY = 'access_token'

/** A person is signed in exactly when a token is stored. */
export function readToken() {
  return localStorage.getItem(KEY)
}

export function storeToken(token: string) {
  localStorage.setItem(KEY, token)
}

export function removeToken() {
  localStorage.removeItem(KEY)
}

/** Calls back when another tab signed in or out. Gives back how to stop that. */
export function onTokenChangedElsewhere(listener: (token: string | null) => void) {
  function changed(event: StorageEvent) {
    // A null key means that the whole storage was cleared.
    if (event.key === KEY || event.key === null) listener(readToken())
  }
  window.addEventListener('storage', changed)
  return () => window.removeEventListener('storage', changed)
}
