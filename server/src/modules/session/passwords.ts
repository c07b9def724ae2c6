import { hash, verify } from '@node-rs/argon2'
import { invalid, unavailable } from '../../problem.ts'
import { createSemaphore } from '../../semaphore.ts'

const ARGON2ID = 2
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Passwords = ReturnType<typeof createPasswords>

/** Argon2id, a few at a time: each costs tens of CPU milliseconds, and a flood of logins must not starve the rest. */
export function createPasswords({ minLength, concurrency = 2, queue = 200 }: PasswordSettings) {
  const inTurn = createSemaphore({ atOnce: concurrency, waiting: queue, full: tooManySignIns })
  // Checked in place of an unknown account's hash, so that both take the same time.
  const decoy = inTurn(() => hash('no account has this password', OPTIONS))

  return { hash: hashNew, verify: verifyAny, check }

  async function hashNew(password: string) {
    await check(password)
    return inTurn(() => hash(password, OPTIONS))
  }

  async function verifyAny(passwordHash: string | undefined, password: string) {
    const against = passwordHash ?? (await decoy)
    const isRight = await inTurn(() => verify(against, password))
    return isRight && passwordHash !== undefined
  }

  /** The rules that only the server knows: a setting, and the list of the most common passwords. */
  async function check(password: string) {
    if ([...password].length < minLength)
      throw invalid('password', `The password needs at least ${minLength} characters.`)
    const { default: common } = await import('fxa-common-password-list')
    if (common.test(password)) throw invalid('password', 'This password is one of the most common. Choose another.')
  }
}

export function tooManySignIns() {
  return unavailable('Too many sign-ins at once. Try again in a moment.', 2)
}

type PasswordSettings = { minLength: number; concurrency?: number; queue?: number }
