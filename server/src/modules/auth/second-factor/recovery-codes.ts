import { randomBytes, randomInt } from 'node:crypto'
import { RECOVERY_CODES } from '@watchdesk/contract/limits'
import type { Passwords } from '../session/passwords.ts'

/** Without characters that look like others: i, l, o, u, 0 and 1. */
const ALPHABET = 'abcdefghjkmnpqrstvwxyz23456789'
const GROUPS = 3
const GROUP_LENGTH = 4
const SALT_BYTES = 16

export type NewRecoveryCodes = { codes: string[]; salt: Buffer; hashes: Buffer[] }

/** All have the same salt, so that one hash is enough to check a code. */
export async function createRecoveryCodes({ hashNewCode }: Pick<Passwords, 'hashNewCode'>): Promise<NewRecoveryCodes> {
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(randomCode())
  const salt = randomBytes(SALT_BYTES)
  const hashes: Buffer[] = []
  for (const code of codes) hashes.push(await hashNewCode(readCode(code), salt))
  return { codes: [...codes], salt, hashes }
}

export function readCode(text: string) {
  return text.replace(/[\s-]/g, '').toLowerCase()
}

export function looksLikeRecoveryCode(code: string) {
  return code.length === GROUPS * GROUP_LENGTH && [...code].every((character) => ALPHABET.includes(character))
}

function randomCode() {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}
