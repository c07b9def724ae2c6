import type { NewAuthenticator, SignedInWithCodes, SignInMethod } from '@watchdesk/contract/auth/session'
import type { FastifyBaseLogger } from 'fastify'
import type { SigningIn } from '../../../actor.ts'
import type { SignInDeps } from '../../../deps.ts'
import { forbidden, Problem } from '../../../problem.ts'
import { mailOwner } from '../notices.ts'
import { signInExpired } from '../session/pending.ts'
import {
  confirmSecret,
  consumeChallenge,
  handleOf,
  insertPasskey,
  knownPasskeysOf,
  newSecretOf,
  saveChallenge,
  saveNewSecret,
  saveRecoveryCodes,
} from './factors.ts'
import { type Accept, createFinish, Refused } from './finish.ts'
import { type Answer, creationOptions, readNewPasskey, type Site } from './passkeys.ts'
import { createRecoveryCodes, type NewRecoveryCodes, readCode } from './recovery-codes.ts'
import { countSecondFactors } from './state.ts'
import { describeSecret, issuerOf, looksLikeCode, newSecret, stepOf } from './totp.ts'

export type NamedAnswer = { name: string; answer: Answer }
export type Context = { site: Site; log: FastifyBaseLogger }

/** Sets up the second factor of users who need one to sign in, and finishes the sign-in. */
export function secondFactorSetUp(deps: SignInDeps) {
  const { db, env, secretKey, passwords } = deps
  const { finish, attempt, readSecret } = createFinish(deps)

  return { startAuthenticator, finishAuthenticator, startPasskey, finishPasskey }

  async function startAuthenticator(signingIn: SigningIn): Promise<NewAuthenticator> {
    secretKey.require()
    const user = await userInSetUp(signingIn)
    const secret = newSecret()
    const new_secret = await secretKey.seal(user.id, secret)
    await saveNewSecret(db, user.id, new_secret)
    return describeSecret(secret, { issuer: issuerOf(env.PUBLIC_URL), label: user.email })
  }

  /** Counted like a code that is entered: somebody else may have started the set-up, and knows the secret. */
  async function finishAuthenticator(signingIn: SigningIn, text: string, log: FastifyBaseLogger) {
    const user = await userInSetUp(signingIn)
    return attempt(signingIn, async () => {
      const sealed = await newSecretOf(db, user.id)
      const code = readCode(text)
      if (!sealed || !looksLikeCode(code)) return
      const step = stepOf(await readSecret(user.id, sealed, log), code)
      if (step === undefined) return
      return setUp(signingIn, 'password_and_code', async (trx, owner) => {
        if (!(await confirmSecret(trx, owner, sealed, step))) throw new Refused()
        await mailOwner(trx, env, 'own_authenticator', owner)
      })
    })
  }

  async function startPasskey(signingIn: SigningIn, site: Site) {
    const user = await userInSetUp(signingIn)
    const challenge = await saveChallenge(db, { purpose: 'new', user_id: user.id })
    const [handle, passkeys] = [await handleOf(db, user.id), await knownPasskeysOf(db, user.id)]
    return creationOptions(site, challenge, { ...user, handle, passkeys })
  }

  async function finishPasskey(signingIn: SigningIn, { name, answer }: NamedAnswer, { site, log }: Context) {
    const { id: user_id } = await userInSetUp(signingIn)
    const challenge = await consumeChallenge(db, answer, { purpose: 'new', user_id })
    const passkey = challenge === undefined ? UNKNOWN_CHALLENGE : await readNewPasskey(site, challenge, answer)
    if (passkey instanceof Error) throw unusablePasskey(passkey, log)
    const done = await setUp(signingIn, 'password_and_passkey', async (trx, owner) => {
      await insertPasskey(trx, owner, name, passkey)
      await mailOwner(trx, env, 'own_passkey', owner)
    })
    if (!done) throw signInExpired()
    return done
  }

  /** Sets up the first second factor and finishes the sign-in, unless the user has one by now. */
  async function setUp(signingIn: SigningIn, method: SignInMethod, keep: Accept<unknown>) {
    const codes = await createRecoveryCodes(passwords)
    const done = await finish(signingIn, method, async (trx, owner) => {
      if ((await countSecondFactors(trx, owner.id)) > 0) throw signInExpired()
      await keep(trx, owner)
      return saveRecoveryCodes(trx, owner, codes)
    })
    return done && withCodes(done.access_token, codes)
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

export const UNKNOWN_CHALLENGE = new Error('The challenge is unknown or has expired')

/** The reason is for the log only: users cannot do anything about it. */
export function unusablePasskey(reason: Error, log: FastifyBaseLogger) {
  log.warn(`A new passkey was refused: ${reason.message}`)
  return new Problem(422, 'This passkey could not be added. Try again, or use another one.')
}

function withCodes(access_token: string, { codes }: NewRecoveryCodes): SignedInWithCodes {
  return { access_token, recovery_codes: codes }
}
