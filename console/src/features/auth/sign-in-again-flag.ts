const KEY = 'sign_in_again'

/** Asks the provider for a new proof, and returns to a page that closes itself. */
export const SSO_AGAIN = '/sso/start?again=1'

/** The user for whom a dialog waits while they sign in at the provider, in a window of its own. */
type Waiting = { id: number; email: string }

export function startWaiting({ id, email }: Waiting) {
  localStorage.setItem(KEY, JSON.stringify({ id, email }))
}

export function stopWaiting() {
  localStorage.removeItem(KEY)
}

/** Undefined for a sign-in without a dialog. Its window has lost the link to the one that opened it. */
export function readWaiting(): Waiting | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '') as Waiting
  } catch {
    return undefined
  }
}
