import { hash, randomBytes } from 'node:crypto'
import { TOKEN_PREFIX } from '@watchdesk/contract/limits'

/** Without the prefix. */
export const API_TOKEN_LENGTH = 46
const API_TOKEN = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${API_TOKEN_LENGTH}}$`)

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

/**
 * Tokens of scripts have a prefix by which they are found in published code. Those of sessions may start with it by chance,
 * but are shorter.
 */
export function isApiToken(token: string) {
  return API_TOKEN.test(token)
}
