import * as argon2 from '@node-rs/argon2'
import type { Env } from '../../../env.ts'
import { forbidden, invalid, Problem } from '../../../problem.ts'
import type { Semaphores } from '../../../semaphore.ts'
import { randomToken } from '../../../token.ts'
import { type Person, weakness } from './weak-passwords.ts'

const ARGON2ID = 2
const HASH_OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type HashOptions = typeof HASH_OPTIONS
export type Passwords = ReturnType<typeof createPasswords>

/** At once of one user, running and waiting: so that a flood of theirs delays nobody for long. */
const CHANGES_PER_USER = 20
const TOO_MANY = 'You are setting too many passwords at once. Wait a moment and try again.'

/** Hashes of sign-ins have their own limit, so that password changes do not delay them. */
export function createPasswords(
  { PASSWORD_MIN_LENGTH }: Pick<Env, 'PASSWORD_MIN_LENGTH'>,
  { signInHashes, passwordChanges }: Pick<Semaphores, 'signInHashes' | 'passwordChanges'>,
  options: HashOptions = HASH_OPTIONS,
) {
  // Of a password that nobody knows, for users who have none yet, and to check unknown accounts: it takes as long as any other.
  const unknownHash = signInHashes.run(() => argon2.hash(randomToken(), options))
  const unknown = () => unknownHash

  return { hash, unknown, verify, verifyOwn: argon2.verify, hashNewCode, hashEnteredCode, check, change }

  async function hash(password: string, person?: Person) {
    check(password, person)
    return argon2.hash(password, options)
  }

  async function verify(passwordHash: string | undefined, password: string) {
    const against = passwordHash ?? (await unknownHash)
    const isRight = await signInHashes.run(() => argon2.verify(against, password))
    return isRight && passwordHash !== undefined
  }

  function hashNewCode(recoveryCode: string, salt: Buffer) {
    return argon2.hashRaw(recoveryCode, { ...options, salt })
  }

  function hashEnteredCode(recoveryCode: string, salt: Buffer) {
    return signInHashes.run(() => argon2.hashRaw(recoveryCode, { ...options, salt }))
  }

  /** `hash`, `verifyOwn` and `hashNewCode` are called in here when somebody waits for them. */
  async function change<Result>(actor_id: number, work: () => Promise<Result>): Promise<Result> {
    if (passwordChanges.count(actor_id) >= CHANGES_PER_USER) throw new Problem(429, TOO_MANY, { 'retry-after': '2' })
    return passwordChanges.run(work, { key: actor_id })
  }

  function check(password: string, person?: Person) {
    if ([...password].length < PASSWORD_MIN_LENGTH)
      throw invalid('password', `The password needs at least ${PASSWORD_MIN_LENGTH} characters.`)
    const weak = weakness(password, person)
    if (weak) throw invalid('password', weak)
  }
}

export function requirePasswordLogin({ PASSWORD_LOGIN, OIDC_LABEL }: Pick<Env, 'PASSWORD_LOGIN' | 'OIDC_LABEL'>) {
  if (PASSWORD_LOGIN === 'off')
    throw forbidden(
      `Everyone signs in with ${OIDC_LABEL} on this server. Passwords, passkeys and second factors are turned off.`,
    )
}
