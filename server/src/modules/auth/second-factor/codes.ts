import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { SigningIn } from '../../../actor.ts'
import type { SignInDeps } from '../../../deps.ts'
import { conflict, Problem } from '../../../problem.ts'
import { auditOwn } from '../audit-account.ts'
import { secretsOf } from './factors.ts'
import { looksLikeRecoveryCode, readCode } from './recovery-codes.ts'
import { Unreadable } from './secret-key.ts'
import { stepOf } from './totp.ts'

const TOO_MANY_CODES = 'Too many wrong codes. Wait 10 minutes and try again, or ask an admin to unlock your account.'
const WRONG_RECOVERY_CODE = 'This recovery code is wrong or was used before. Enter another one.'

/** Thrown where a code is checked, also in the transaction that would finish the sign-in. */
export class WrongCode extends Error {}

export function codeSignIns({ db, passwords, secretKey, semaphores, lockout, sessions }: SignInDeps) {
  return { enterCode, attempt, checkAppCode }

  async function enterCode(signingIn: SigningIn, text: string, log: FastifyBaseLogger) {
    requireNoSetUp(signingIn)
    const code = readCode(text)
    if (/^\d*$/.test(code) && !looksLikeRecoveryCode(code)) {
      const { access_token } = await attempt(signingIn, () => enterAppCode(signingIn, code, log))
      return { access_token }
    }
    const enter = () => enterRecoveryCode(signingIn, code)
    const { access_token, result } = await attempt(signingIn, enter, WRONG_RECOVERY_CODE)
    return { access_token, recovery_codes_left: result }
  }

  async function enterAppCode(signingIn: SigningIn, code: string, log: FastifyBaseLogger) {
    const { user_id } = signingIn
    const { sealed, step } = await checkAppCode(user_id, 'secret', code, log)
    return sessions.finish(signingIn, 'password_and_code', async (trx) => {
      // Of two calls with the same code, only one changes the row.
      const { numUpdatedRows } = await trx
        .updateTable('authenticators')
        .set({ last_step: step })
        .where('user_id', '=', user_id)
        .where('secret', '=', sealed)
        .where('last_step', '<', step)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new WrongCode()
    })
  }

  async function checkAppCode(user_id: number, which: 'secret' | 'new_secret', code: string, log: FastifyBaseLogger) {
    const sealed = (await secretsOf(db, user_id))?.[which]
    const step = sealed ? stepOf(await readSecret(user_id, sealed, log), code) : undefined
    if (!sealed || step === undefined) throw new WrongCode()
    return { sealed, step }
  }

  async function enterRecoveryCode(signingIn: SigningIn, code: string) {
    if (!looksLikeRecoveryCode(code)) throw new WrongCode()
    const { user_id } = signingIn
    const stored = await db
      .selectFrom('recovery_codes')
      .select('salt')
      .where('user_id', '=', user_id)
      .limit(1)
      .executeTakeFirst()
    if (!stored) throw new WrongCode()
    const code_hash = await passwords.hashEnteredCode(code, stored.salt)
    return sessions.finish(signingIn, 'password_and_recovery_code', async (trx, owner) => {
      const { rows } = await sql<{ left: number }>`
        with used as (
          update recovery_codes set used_at = now()
          where user_id = ${user_id} and code_hash = ${code_hash} and used_at is null returning user_id
        )
        select count(*) - 1 as left from recovery_codes
        where user_id = (select user_id from used) and used_at is null having count(*) > 0`.execute(trx)
      const left = rows[0]?.left
      if (left === undefined) throw new WrongCode()
      const changes = { left: { before: left + 1, after: left } }
      await auditOwn(trx, owner, { action: 'use', entity: 'recovery_codes', changes })
      return left
    })
  }

  async function attempt<Result extends object>(
    { user_id, ip }: SigningIn,
    enter: () => Promise<Result>,
    wrong = 'This code is wrong, has expired or was used before. Enter a new one.',
  ): Promise<Result> {
    const check = () => enter().catch(asUndefined)
    const outcome = await semaphores.signIns.run(() => lockout.attemptSecond({ user_id, ip }, check), { key: user_id })
    if (outcome === 'locked') throw new Problem(429, TOO_MANY_CODES, { 'retry-after': '600' })
    if (outcome === 'wrong') throw new Problem(401, wrong)
    return outcome
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

export function requireNoSetUp({ mustSetUp }: SigningIn) {
  if (mustSetUp) throw conflict('Set up a second factor first: your account has none yet.')
}

function asUndefined(error: unknown): undefined {
  if (!(error instanceof WrongCode)) throw error
}
