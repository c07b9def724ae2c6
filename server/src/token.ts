import { hash } from 'node:crypto'

/** The database stores only the hash of a token. */
export function hashToken(token: string) {
  return Buffer.from(tokenKey(token), 'hex')
}

/** The same as text. */
export function tokenKey(token: string) {
  return hash('sha256', token, 'hex')
}
