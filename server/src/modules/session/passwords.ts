import { hash, verify } from '@node-rs/argon2'
import { invalid, Problem, unavailable } from '../../problem.ts'
import { createSemaphore } from '../../semaphore.ts'
import { type Person, weakness } from './weak-passwords.ts'

const ARGON2ID = 2
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** How many passwords one person may be setting at once. */
export const MOST_PER_ACTOR = 20

export type Passwords = ReturnType<typeof createPasswords>

/**
 * Argon2id, a few at a time: each costs tens of CPU milliseconds, and a flood of them must not starve the rest. Sign-ins
 * have a queue of their own, so that no number of password changes keeps anybody from signing in.
 */
export function createPasswords({ minLength, concurrency = 2, queue = 200 }: PasswordSettings) {
  const forSignIn = createSemaphore({ atOnce: concurrency, waiting: queue, full: tooManySignIns })
  const forChange = createSemaphore({ atOnce: 1, waiting: queue, full: tooManyChanges })
  // Some look up what they are about while another one is hashed.
  const changing = createSemaphore({ atOnce: 4, waiting: queue, full: tooManyChanges })
  const underWay = new Map<number, number>()
  // Checked in place of an unknown account's hash, so that both take the same time.
  const decoy = forSignIn(() => hash('no account has this password', OPTIONS))

  return { hash: hashNew, verify: verifyAny, verifyOwn, check, change }

  async function hashNew(password: string, person?: Person) {
    check(password, person)
    return forChange(() => hash(password, OPTIONS))
  }

  async function verifyAny(passwordHash: string | undefined, password: string) {
    const against = passwordHash ?? (await decoy)
    const isRight = await forSignIn(() => verify(against, password))
    return isRight && passwordHash !== undefined
  }

  /** Of someone who is signed in already. */
  function verifyOwn(passwordHash: string, password: string) {
    return forChange(() => verify(passwordHash, password))
  }

  /** Whatever a call hashes passwords for: a few at a time, and not too many of one person. */
  async function change<Result>(actor_id: number, work: () => Promise<Result>): Promise<Result> {
    const count = underWay.get(actor_id) ?? 0
    if (count >= MOST_PER_ACTOR) throw tooManyOfOne()
    underWay.set(actor_id, count + 1)
    try {
      return await changing(work)
    } finally {
      const left = (underWay.get(actor_id) ?? 1) - 1
      if (left > 0) underWay.set(actor_id, left)
      else underWay.delete(actor_id)
    }
  }

  /** The rules that only the server knows: a setting, and what is easy to guess. */
  function check(password: string, person?: Person) {
    if ([...password].length < minLength)
      throw invalid('password', `The password needs at least ${minLength} characters.`)
    const weak = weakness(password, person)
    if (weak) throw invalid('password', weak)
  }
}

export function tooManySignIns() {
  return unavailable('Too many sign-ins at once. Try again in a moment.', 2)
}

function tooManyChanges() {
  return unavailable('Too many passwords are being changed at once. Try again in a moment.', 2)
}

function tooManyOfOne() {
  const detail = 'You are setting too many passwords at once. Wait a moment and try again.'
  return new Problem(429, detail, { 'retry-after': '2' })
}

type PasswordSettings = { minLength: number; concurrency?: number; queue?: number }
