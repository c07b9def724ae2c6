import type { NewAuthenticator, Session, SignedInWithCodes, SignInMethod } from '@watchdesk/contract/session'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { SigningIn } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import type { SignInDeps } from '../../deps.ts'
import { conflict, forbidden, Problem } from '../../problem.ts'
import type { SessionUser } from '../session/open-session.ts'
import { signInExpired } from '../session/pending.ts'
import {
  confirmSecret,
  insertPasskey,
  keepChallenge,
  keepRecoveryCodes,
  knownPasskeysOf,
  type Owner,
  record,
  takeChallenge,
} from './factors.ts'
import { type Answer, creationOptions, readNewPasskey, type Site } from './passkeys.ts'
import {
  createRecoveryCodes,
  hashRecoveryCode,
  looksLikeRecoveryCode,
  type NewRecoveryCodes,
  readCode,
} from './recovery-codes.ts'
import { Unreadable } from './secret-key.ts'
import { countSecondFactors } from './state.ts'
import { describeSecret, issuerOf, looksLikeCode, newSecret, stepOf } from './totp.ts'

/** Thrown in the transaction that would finish the sign-in. */
class Refused extends Error {}

const SET_UP_LOCKS = 7_238_021

export type NamedAnswer = { name: string; answer: Answer }
export type Context = { site: Site; log: FastifyBaseLogger }
type Accept<Result> = (trx: Trx, owner: Owner) => Promise<Result>

/** Finishes sign-ins with a code, and sets up the second factor of users who need one to sign in. */
export function secondFactorStore({ db, env, secretKey, semaphores, lockout, sessions }: SignInDeps) {
  return { enterCode, startAuthenticator, finishAuthenticator, startPasskey, finishPasskey }

  /** A code of the authenticator app, or a recovery code. */
  async function enterCode(signingIn: SigningIn, text: string, log: FastifyBaseLogger): Promise<Session> {
    requireEntering(signingIn)
    const code = readCode(text)
    const { access_token } = await attempt(signingIn, async () => {
      if (looksLikeCode(code)) return enterAppCode(signingIn, code, log)
      return looksLikeRecoveryCode(code) ? enterRecoveryCode(signingIn, code) : undefined
    })
    return { access_token }
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

  async function enterRecoveryCode(signingIn: SigningIn, code: string) {
    const { user_id } = signingIn
    const stored = await db
      .selectFrom('recovery_codes')
      .select('salt')
      .where('user_id', '=', user_id)
      .limit(1)
      .executeTakeFirst()
    if (!stored) return
    const code_hash = await semaphores.signInHashes.run(() => hashRecoveryCode(code, stored.salt))
    return finish(signingIn, 'password_and_code', async (trx, owner) => {
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
    })
  }

  async function startAuthenticator(signingIn: SigningIn): Promise<NewAuthenticator> {
    secretKey.require()
    const user = await userInSetUp(signingIn)
    const secret = newSecret()
    const new_secret = await secretKey.seal(user.id, secret)
    await db
      .insertInto('authenticators')
      .values({ user_id: user.id, new_secret })
      .onConflict((at) => at.column('user_id').doUpdateSet({ new_secret }))
      .execute()
    return describeSecret(secret, { issuer: issuerOf(env.PUBLIC_URL), label: user.email })
  }

  /** Counted like a code that is entered: somebody else may have started the set-up, and knows the secret. */
  async function finishAuthenticator(signingIn: SigningIn, text: string, log: FastifyBaseLogger) {
    const user = await userInSetUp(signingIn)
    return attempt(signingIn, async () => {
      const stored = await db
        .selectFrom('authenticators')
        .select('new_secret')
        .where('user_id', '=', user.id)
        .executeTakeFirst()
      const sealed = stored?.new_secret
      const code = readCode(text)
      if (!sealed || !looksLikeCode(code)) return
      const step = stepOf(await readSecret(user.id, sealed, log), code)
      if (step === undefined) return
      return setUp(signingIn, 'password_and_code', async (trx, owner) => {
        if (!(await confirmSecret(trx, owner, sealed, step))) throw new Refused()
      })
    })
  }

  async function startPasskey(signingIn: SigningIn, site: Site) {
    const user = await userInSetUp(signingIn)
    const challenge = await keepChallenge(db, { purpose: 'new', user_id: user.id })
    return creationOptions(site, challenge, { ...user, passkeys: await knownPasskeysOf(db, user.id) })
  }

  async function finishPasskey(signingIn: SigningIn, { name, answer }: NamedAnswer, { site, log }: Context) {
    const { id: user_id } = await userInSetUp(signingIn)
    const challenge = await takeChallenge(db, answer, { purpose: 'new', user_id })
    const passkey = challenge === undefined ? UNKNOWN_CHALLENGE : await readNewPasskey(site, challenge, answer)
    if (passkey instanceof Error) throw unusablePasskey(passkey, log)
    const done = await setUp(signingIn, 'password_and_passkey', (trx, owner) =>
      insertPasskey(trx, owner, name, passkey),
    )
    if (!done) throw signInExpired()
    return done
  }

  /** Sets up the first second factor and finishes the sign-in, unless the user has one by now. */
  async function setUp(signingIn: SigningIn, method: SignInMethod, keep: Accept<unknown>) {
    const codes = await createRecoveryCodes(semaphores.passwordHashes)
    const done = await finish(signingIn, method, async (trx, owner) => {
      // The row of the user is only locked against changes, so two set-ups could both find none.
      await sql`select pg_advisory_xact_lock(${SET_UP_LOCKS}::int, ${owner.id}::int)`.execute(trx)
      if ((await countSecondFactors(trx, owner.id)) > 0) throw signInExpired()
      await keep(trx, owner)
      return keepRecoveryCodes(trx, owner, codes)
    })
    return done && withCodes(done.access_token, codes)
  }

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
  async function attempt<Result>({ user_id, ip }: SigningIn, check: () => Promise<Result | undefined>) {
    const found: { result?: Result } = {}
    const isRight = async () => {
      found.result = await check()
      return found.result !== undefined
    }
    const outcome = await semaphores.signIns.run(() =>
      semaphores.signInsPerEmail.run(`second factor of ${user_id}`, () =>
        lockout.attemptSecond({ user_id, ip, step: 'code' }, isRight),
      ),
    )
    if (found.result !== undefined) return found.result
    throw outcome === 'locked' ? tooManyCodes() : wrongCode()
  }

  async function userInSetUp({ mustSetUp, user_id }: SigningIn) {
    if (!mustSetUp) throw forbidden('Your account has a second factor already. Use it to sign in.')
    if ((await countSecondFactors(db, user_id)) > 0) throw signInExpired()
    const user = await db
      .selectFrom('users')
      .select(['id', 'email', 'full_name'])
      .where('id', '=', user_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!user) throw signInExpired()
    return user
  }
}

/** A sign-in without a second factor has to set one up. */
export function requireEntering({ mustSetUp }: SigningIn) {
  if (mustSetUp) throw conflict('Set up a second factor first: your account has none yet.')
}

export const UNKNOWN_CHALLENGE = new Error('The challenge is unknown or has expired')

/** The reason is for the log only: users cannot do anything about it. */
export function unusablePasskey(reason: Error, log: FastifyBaseLogger) {
  log.warn(`A new passkey was refused: ${reason.message}`)
  return new Problem(422, 'This passkey could not be added. Try again, or use another one.')
}

function withCodes(access_token: string, { codes }: NewRecoveryCodes): SignedInWithCodes {
  return { access_token, recovery_codes: codes }
}

function wrongCode() {
  return new Problem(401, 'This code is wrong, has expired or was used before. Enter a new one.')
}

function tooManyCodes() {
  const detail = 'Too many wrong codes. Wait 10 minutes and try again, or ask an admin to unlock your account.'
  return new Problem(429, detail, { 'retry-after': '600' })
}
