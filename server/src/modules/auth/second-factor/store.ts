import type { Session } from '@watchdesk/contract/auth/session'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { SigningIn } from '../../../actor.ts'
import type { SignInDeps } from '../../../deps.ts'
import { conflict } from '../../../problem.ts'
import { record } from './factors.ts'
import { createFinish, Refused } from './finish.ts'
import { looksLikeRecoveryCode, readCode } from './recovery-codes.ts'
import { looksLikeCode, stepOf } from './totp.ts'

type SignedIn = Session & { recovery_codes_left?: number }

const WRONG_RECOVERY_CODE = 'This recovery code is wrong or was used before. Enter another one.'

/** Finishes sign-ins with a code. */
export function secondFactorStore(deps: SignInDeps) {
  const { db, passwords } = deps
  const { finish, attempt, readSecret } = createFinish(deps)

  return { enterCode }

  /** A code of the authenticator app, or a recovery code. */
  async function enterCode(signingIn: SigningIn, text: string, log: FastifyBaseLogger): Promise<SignedIn> {
    requireNoSetUp(signingIn)
    const code = readCode(text)
    if (/^\d*$/.test(code) && !looksLikeRecoveryCode(code)) {
      const enter = async () => (looksLikeCode(code) ? enterAppCode(signingIn, code, log) : undefined)
      const { access_token } = await attempt(signingIn, enter)
      return { access_token }
    }
    const enter = async () => (looksLikeRecoveryCode(code) ? enterRecoveryCode(signingIn, code) : undefined)
    const { access_token, result } = await attempt(signingIn, enter, WRONG_RECOVERY_CODE)
    return { access_token, recovery_codes_left: result }
  }

  async function enterAppCode(signingIn: SigningIn, code: string, log: FastifyBaseLogger) {
    const { user_id } = signingIn
    const stored = await db
      .selectFrom('authenticators')
      .select('secret')
      .where('user_id', '=', user_id)
      .executeTakeFirst()
    const sealed = stored?.secret
    if (!sealed) return
    const step = stepOf(await readSecret(user_id, sealed, log), code)
    if (step === undefined) return
    return finish(signingIn, 'password_and_code', async (trx) => {
      // Of two calls with the same code, only one changes the row.
      const { numUpdatedRows } = await trx
        .updateTable('authenticators')
        .set({ last_step: step })
        .where('user_id', '=', user_id)
        .where('secret', '=', sealed)
        .where('last_step', '<', step)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Refused()
    })
  }

  async function enterRecoveryCode(signingIn: SigningIn, code: string) {
    const { user_id } = signingIn
    const stored = await db
      .selectFrom('recovery_codes')
      .select('salt')
      .where('user_id', '=', user_id)
      .limit(1)
      .executeTakeFirst()
    if (!stored) return
    const code_hash = await passwords.hashEnteredCode(code, stored.salt)
    return finish(signingIn, 'password_and_recovery_code', async (trx, owner) => {
      const { rows } = await sql<{ left: number }>`
        with used as (
          update recovery_codes set used_at = now()
          where user_id = ${user_id} and code_hash = ${code_hash} and used_at is null returning user_id
        )
        select count(*) - 1 as left from recovery_codes
        where user_id = (select user_id from used) and used_at is null having count(*) > 0`.execute(trx)
      const left = rows[0]?.left
      if (left === undefined) throw new Refused()
      await record(trx, owner, 'use', 'recovery_codes', { left: { before: left + 1, after: left } })
      return left
    })
  }
}

/** A sign-in without a second factor has to set one up. */
export function requireNoSetUp({ mustSetUp }: SigningIn) {
  if (mustSetUp) throw conflict('Set up a second factor first: your account has none yet.')
}
