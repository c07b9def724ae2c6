import { decrypt, encrypt, keyFrom } from '../../../cipher.ts'

/**
 * Encrypts the ID token of the single sign-on provider with the token of the session or of the sign-in that it belongs to. The
 * database has only the hash of that, so a copy of the database is not enough to read it, and no other key is needed.
 */
export function sealIdToken(token: string, id_token: string): Buffer {
  return encrypt(keyOf(token), Buffer.from(id_token))
}

export function openIdToken(token: string, sealed: Buffer): string {
  return decrypt(keyOf(token), sealed).toString()
}

function keyOf(token: string) {
  return keyFrom(token, 'watchdesk id token')
}
