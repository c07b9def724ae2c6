/** Passkeys belong to a domain name, and browsers offer them only over HTTPS or on localhost. */
export function canUsePasskeys() {
  const isAddress = /^[\d.]+$|:/.test(window.location.hostname)
  return window.isSecureContext && 'PublicKeyCredential' in window && !isAddress
}
