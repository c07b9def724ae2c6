import { hash, hashRaw, verify } from '@node-rs/argon2'
import type { Env } from '../../../env.ts'
import { forbidden, invalid } from '../../../problem.ts'
import type { Semaphores } from '../../../semaphore.ts'
import { randomToken } from '../../../token.ts'
import { type Person, weakness } from './weak-passwords.ts'

const ARGON2ID = 2
const HASH_OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type HashOptions = typeof HASH_OPTIONS
export type Passwords = ReturnType<typeof createPasswords>

type HashSemaphores = Pick<Semaphores, 'signInHashes' | 'passwordHashes' | 'passwordChanges' | 'passwordChangesPerUser'>

/** Argon2id with limited concurrency. */
export function createPasswords(
  { PASSWORD_MIN_LENGTH }: Pick<Env, 'PASSWORD_MIN_LENGTH'>,
  semaphores: HashSemaphores,
  options: HashOptions = HASH_OPTIONS,
) {
  const { signInHashes, passwordHashes, passwordChanges, passwordChangesPerUser } = semaphores
  // Of a password that nobody knows, for users who have none yet, and to check unknown accounts: it takes as long as any other.
  const unknownHash = signInHashes.run(() => hash(randomToken(), options))

  return {
    hash: hashNew,
    unknown: () => unknownHash,
    verify: verifyAny,
    verifyOwn,
    hashNewCode,
    hashEnteredCode,
    check,
    change,
  }

  async function hashNew(password: string, person?: Person) {
    check(password, person)
    return passwordHashes.run(() => hash(password, options))
  }

  async function verifyAny(passwordHash: string | undefined, password: string) {
    const against = passwordHash ?? (await unknownHash)
    const isRight = await signInHashes.run(() => verify(against, password))
    return isRight && passwordHash !== undefined
  }

  /** For users who are already signed in. */
  function verifyOwn(passwordHash: string, password: string) {
    return passwordHashes.run(() => verify(passwordHash, password))
  }

  function hashNewCode(recoveryCode: string, salt: Buffer) {
    return passwordHashes.run(() => hashRaw(recoveryCode, { ...options, salt }))
  }

  function hashEnteredCode(recoveryCode: string, salt: Buffer) {
    return signInHashes.run(() => hashRaw(recoveryCode, { ...options, salt }))
  }

  /** Limits password hashing in total and per user. */
  function change<Result>(actor_id: number, work: () => Promise<Result>): Promise<Result> {
    return passwordChangesPerUser.run(actor_id, () => passwordChanges.run(work))
  }

  /** Rules that only the server can check: the configured minimum length and weak passwords. */
  function check(password: string, person?: Person) {
    if ([...password].length < PASSWORD_MIN_LENGTH)
      throw invalid('password', `The password needs at least ${PASSWORD_MIN_LENGTH} characters.`)
    const weak = weakness(password, person)
    if (weak) throw invalid('password', weak)
  }
}

/** For all that is of no use where nobody signs in with a password: passwords, links to choose one, and second factors. */
export function requirePasswordLogin({ PASSWORD_LOGIN, OIDC_LABEL }: Pick<Env, 'PASSWORD_LOGIN' | 'OIDC_LABEL'>) {
  if (PASSWORD_LOGIN === 'off')
    throw forbidden(
      `Everyone signs in with ${OIDC_LABEL} on this server. Passwords, passkeys and second factors are turned off.`,
    )
}
