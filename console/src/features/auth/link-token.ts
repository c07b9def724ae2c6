let token = ''

/**
 * The secret of a link, which is in its fragment. It is removed from the address bar at once, so that it is neither seen
 * nor kept in the history.
 */
export function takeLinkToken() {
  const given = window.location.hash.slice(1)
  // Not the target of 'Skip to content'.
  if (!/^[\w-]{20,100}$/.test(given)) return { link_token: token }
  token = given
  window.history.replaceState(window.history.state, '', window.location.pathname)
  return { link_token: token }
}
