import { neutralise } from '@watchdesk/contract/csv'
import { generatePassword } from '../users/shared/generate-password.ts'

/** A password that is the same in a file: one that starts with @ would get an apostrophe, as it could be a formula. */
export function filePassword() {
  for (;;) {
    const password = generatePassword()
    if (neutralise(password) === password) return password
  }
}
