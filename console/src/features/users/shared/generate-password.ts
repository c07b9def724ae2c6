import { GENERATED_PASSWORD_CHARACTERS, GENERATED_PASSWORD_LENGTH } from '@watchdesk/contract/limits'

const COUNT = GENERATED_PASSWORD_CHARACTERS.length
/** Larger bytes are discarded: a plain modulo would favor the first characters. */
const LIMIT = 256 - (256 % COUNT)

export function generatePassword() {
  let password = ''
  while (password.length < GENERATED_PASSWORD_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(GENERATED_PASSWORD_LENGTH))) {
      if (byte < LIMIT && password.length < GENERATED_PASSWORD_LENGTH) {
        password += GENERATED_PASSWORD_CHARACTERS[byte % COUNT]
      }
    }
  }
  return password
}
