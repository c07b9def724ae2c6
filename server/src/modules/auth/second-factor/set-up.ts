import type { SignInMethod } from '@watchdesk/contract/auth/session'
import type { FastifyBaseLogger } from 'fastify'
import type { SigningIn } from '../../../actor.ts'
import type { Trx } from '../../../db/open.ts'
import type { SignInDeps } from '../../../deps.ts'
import { forbidden } from '../../../problem.ts'
import { signInExpired } from '../session/pending.ts'
import { countSecondFactors } from '../session/second-factors.ts'
import { consumeChallenge } from './challenges.ts'
import { codeSignIns, WrongCode } from './codes.ts'
import { createFactors, type Owner, saveRecoveryCodes } from './factors.ts'
import { type Context, type NamedAnswer, readNewPasskey, type Site } from './passkeys.ts'
import { readCode } from './recovery-codes.ts'

type Keep = (trx: Trx, owner: Owner) => Promise<unknown>

export function secondFactorSetUp(deps: SignInDeps) {
  const { db, sessions } = deps
  const factors = createFactors(deps)
  const { attempt, checkAppCode } = codeSignIns(deps)

  return { startAuthenticator, finishAuthenticator, startPasskey, finishPasskey }

  async function startAuthenticator(signingIn: SigningIn) {
    return factors.startAuthenticator(db, await userInSetUp(signingIn))
  }

  /** Counted like a code that is entered: somebody else may have started the set-up, and knows the secret. */
  async function finishAuthenticator(signingIn: SigningIn, text: string, log: FastifyBaseLogger) {
    const { id } = await userInSetUp(signingIn)
    return attempt(signingIn, async () => {
      const { sealed, step } = await checkAppCode(id, 'new_secret', readCode(text), log)
      return finish(signingIn, 'password_and_code', async (trx, owner) => {
        if (!(await factors.confirmAuthenticator(trx, owner, sealed, step))) throw new WrongCode()
      })
    })
  }

  async function startPasskey(signingIn: SigningIn, site: Site) {
    return factors.startPasskey(db, await userInSetUp(signingIn), site)
  }

  async function finishPasskey(signingIn: SigningIn, { name, answer }: NamedAnswer, context: Context) {
    const { id: user_id } = await userInSetUp(signingIn)
    const challenge = await consumeChallenge(db, answer, { purpose: 'new', user_id })
    const passkey = await readNewPasskey(context, challenge, answer)
    return finish(signingIn, 'password_and_passkey', (trx, owner) => factors.insertPasskey(trx, owner, name, passkey))
  }

  async function finish(signingIn: SigningIn, method: SignInMethod, keep: Keep) {
    const codes = await factors.createCodes(signingIn.user_id)
    const { access_token, result } = await sessions.finish(signingIn, method, async (trx, owner) => {
      if ((await countSecondFactors(trx, owner.id)) > 0) throw signInExpired()
      await keep(trx, owner)
      return saveRecoveryCodes(trx, owner, codes)
    })
    return { access_token, recovery_codes: result }
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
