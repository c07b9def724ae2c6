import { hash, verify } from '@node-rs/argon2'
import type { Env } from '../../env.ts'
import { invalid } from '../../problem.ts'
import type { Semaphores } from '../../semaphore.ts'
import { type Person, weakness } from './weak-passwords.ts'

const ARGON2ID = 2
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Passwords = ReturnType<typeof createPasswords>

type HashSemaphores = Pick<Semaphores, 'signInHashes' | 'passwordHashes' | 'passwordChanges' | 'passwordChangesPerUser'>

/** Argon2id, a few at a time. */
export function createPasswords({ PASSWORD_MIN_LENGTH }: Pick<Env, 'PASSWORD_MIN_LENGTH'>, semaphores: HashSemaphores) {
  const { signInHashes, passwordHashes, passwordChanges, passwordChangesPerUser } = semaphores
  // Checked in place of an unknown account's hash, so that both take the same time.
  const decoy = signInHashes.run(() => hash('no account has this password', OPTIONS))

  return { hash: hashNew, verify: verifyAny, verifyOwn, check, change }

  async function hashNew(password: string, person?: Person) {
    check(password, person)
    return passwordHashes.run(() => hash(password, OPTIONS))
  }

  async function verifyAny(passwordHash: string | undefined, password: string) {
    const against = passwordHash ?? (await decoy)
    const isRight = await signInHashes.run(() => verify(against, password))
    return isRight && passwordHash !== undefined
  }

  /** Of someone who is signed in already. */
  function verifyOwn(passwordHash: string, password: string) {
    return passwordHashes.run(() => verify(passwordHash, password))
  }

  /** Whatever a call hashes passwords for: a few at a time, and not too many of one person. */
  function change<Result>(actor_id: number, work: () => Promise<Result>): Promise<Result> {
    return passwordChangesPerUser.run(actor_id, () => passwordChanges.run(work))
  }

  /** The rules that only the server knows: a setting, and what is easy to guess. */
  function check(password: string, person?: Person) {
    if ([...password].length < PASSWORD_MIN_LENGTH)
      throw invalid('password', `The password needs at least ${PASSWORD_MIN_LENGTH} characters.`)
    const weak = weakness(password, person)
    if (weak) throw invalid('password', weak)
  }
}
