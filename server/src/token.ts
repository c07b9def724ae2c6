import { hash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { TOKEN_PREFIX } from '@watchdesk/contract/limits'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 40
const CHECKSUM_LENGTH = 6
const API_TOKEN = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

export function randomToken() {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string) {
  return hash('sha256', token, 'buffer')
}

/** For a script. The checksum lets scanners recognize a token in published code without asking the server. */
export function makeApiToken() {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('')
  const checksum = Array.from({ length: CHECKSUM_LENGTH }, (_, digit) => {
    const rest = Math.floor(crc32(random) / BASE62.length ** (CHECKSUM_LENGTH - 1 - digit))
    return BASE62[rest % BASE62.length]
  })
  return `${TOKEN_PREFIX}${random}${checksum.join('')}`
}

/** The token of a session may start with the prefix by chance, but is shorter. */
export function isApiToken(token: string) {
  return API_TOKEN.test(token)
}
