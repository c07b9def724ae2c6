import { hash, randomBytes } from 'node:crypto'
import { TOKEN_PREFIX } from '@watchdesk/contract/limits'

/** A secret that nobody can guess. */
export function randomToken() {
  return randomBytes(32).toString('base64url')
}

/** The database stores only the hash of a token. */
export function hashToken(token: string) {
  return Buffer.from(tokenKey(token), 'hex')
}

/** The same as text. */
export function tokenKey(token: string) {
  return hash('sha256', token, 'hex')
}

/** Tokens of scripts have a prefix by which they are found in published code. Those of sessions never have it. */
export function isApiToken(token: string) {
  return token.startsWith(TOKEN_PREFIX)
}
