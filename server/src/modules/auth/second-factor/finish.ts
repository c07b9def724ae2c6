import type { SignInMethod } from '@watchdesk/contract/auth/session'
import type { FastifyBaseLogger } from 'fastify'
import type { SigningIn } from '../../../actor.ts'
import type { Trx } from '../../../db/open.ts'
import type { SignInDeps } from '../../../deps.ts'
import { conflict, Problem } from '../../../problem.ts'
import type { SessionUser } from '../session/open-session.ts'
import type { Owner } from './factors.ts'
import { Unreadable } from './secret-key.ts'

/** Thrown in the transaction that would finish the sign-in. */
export class Refused extends Error {}

export type Accept<Result> = (trx: Trx, owner: Owner) => Promise<Result>

/** What entering a second factor and setting one up have in common. */
export function createFinish({ secretKey, semaphores, lockout, sessions }: SignInDeps) {
  return { finish, attempt, readSecret }

  /** Undefined if the second factor was refused. */
  async function finish<Result>(signingIn: SigningIn, method: SignInMethod, accept: Accept<Result>) {
    const owned = (trx: Trx, user: SessionUser) => accept(trx, { ...user, ip: signingIn.ip })
    try {
      return await sessions.finish(signingIn, method, owned)
    } catch (error) {
      if (error instanceof Refused) return undefined
      throw error
    }
  }

  /** Limits wrong codes per account. */
  async function attempt<Result>(
    { user_id, ip }: SigningIn,
    check: () => Promise<Result | undefined>,
    text = 'This code is wrong, has expired or was used before. Enter a new one.',
  ) {
    const found: { result?: Result } = {}
    const isRight = async () => {
      found.result = await check()
      return found.result !== undefined
    }
    const outcome = await semaphores.signIns.run(() => lockout.attemptSecond({ user_id, ip, step: 'code' }, isRight), {
      key: user_id,
    })
    if (found.result !== undefined) return found.result
    throw outcome === 'locked' ? tooManyCodes() : new Problem(401, text)
  }

  async function readSecret(user_id: number, sealed: Buffer, log: FastifyBaseLogger) {
    try {
      return await secretKey.open(user_id, sealed)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      log.error(`The authenticator app of user ${user_id} cannot be used: ${error.message}`)
      throw conflict(
        'Codes of your authenticator app cannot be checked at the moment. Use a recovery code or a passkey, or ask an admin to reset your second factor.',
      )
    }
  }
}

function tooManyCodes() {
  const detail = 'Too many wrong codes. Wait 10 minutes and try again, or ask an admin to unlock your account.'
  return new Problem(429, detail, { 'retry-after': '600' })
}
