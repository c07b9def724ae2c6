import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { TOKEN_PREFIX } from '@watchdesk/contract/limits'
import { API_TOKEN_LENGTH } from '../../../token.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECKSUM_LENGTH = 6
const RANDOM_LENGTH = API_TOKEN_LENGTH - CHECKSUM_LENGTH

/** The checksum lets scanners recognize a token in published code without asking the server. */
export function makeToken() {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('')
  return `${TOKEN_PREFIX}${random}${checksumOf(random)}`
}

function checksumOf(text: string) {
  let rest = crc32(text)
  let digits = ''
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62[rest % BASE62.length] + digits
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}
