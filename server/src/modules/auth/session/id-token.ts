import { decrypt, encrypt, keyFrom } from '../../../cipher.ts'

/** The database has only the hash of the token, so a copy of the database is not enough to read the ID token. */
export function sealIdToken(token: string, id_token: string): Buffer {
  return encrypt(keyOf(token), Buffer.from(id_token))
}

export function openIdToken(token: string, sealed: Buffer): string {
  return decrypt(keyOf(token), sealed).toString()
}

function keyOf(token: string) {
  return keyFrom(token, 'watchdesk id token')
}
