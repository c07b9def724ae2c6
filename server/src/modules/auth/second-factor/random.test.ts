import { hashRaw } from '@node-rs/argon2'
import { RECOVERY_CODES } from '@watchdesk/contract/limits'
import { expect, test } from 'vitest'
import { readEnv } from '../../../env.ts'
import { createSemaphores } from '../../../semaphore.ts'
import { randomToken } from '../../../token.ts'
import { createPasswords } from '../session/passwords.ts'
import { createRecoveryCodes, readCode } from './recovery-codes.ts'
import { newSecret } from './totp.ts'

const env = readEnv({})
/** At the cost of production, unlike those of most tests. */
const passwords = createPasswords(env, createSemaphores(env))

test('secrets of authenticator apps and tokens are never the same, and each of their bits is as often 0 as 1', () => {
  const count = 1000
  for (const [make, bytes] of [
    [newSecret, 20],
    [() => Buffer.from(randomToken(), 'base64url'), 32],
  ] as const) {
    const made = Array.from({ length: count }, make)
    expect(new Set(made.map((each) => each.toString('hex'))).size).toBe(count)
    expect(made.every(({ length }) => length === bytes)).toBe(true)
    for (let bit = 0; bit < bytes * 8; bit += 1) {
      const ones = made.filter((each) => (each[bit >> 3] ?? 0) & (1 << (bit & 7))).length
      // Nine standard deviations.
      expect(Math.abs(ones - count / 2)).toBeLessThan(9 * Math.sqrt(count / 4))
    }
  }
})

test('recovery codes are never the same, and are hashed with Argon2id and a salt for each user', async () => {
  const [one, other] = [await createRecoveryCodes(passwords), await createRecoveryCodes(passwords)]
  expect(new Set([...one.codes, ...other.codes]).size).toBe(2 * RECOVERY_CODES)
  expect(one.salt.equals(other.salt)).toBe(false)
  const [code = ''] = one.codes
  // The default of the library is Argon2id.
  const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
  expect(one.hashes[0]).toEqual(await hashRaw(readCode(code), { ...cost, salt: one.salt }))
  expect(await passwords.hashEnteredCode(readCode(code), other.salt)).not.toEqual(one.hashes[0])
})

test('passwords are hashed with Argon2id, at the recommended cost', async () => {
  expect(await passwords.hash('staple battery 7')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
