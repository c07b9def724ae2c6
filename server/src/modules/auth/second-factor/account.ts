import type { Actor } from '../../../actor.ts'
import type { Db, Trx } from '../../../db/open.ts'
import type { SignInDeps } from '../../../deps.ts'
import { conflict, found, invalid, signedOut } from '../../../problem.ts'
import { auditOwn } from '../audit-account.ts'
import { mailOwner } from '../notices.ts'
import { requirePasswordLogin } from '../session/passwords.ts'
import { countSecondFactors, secondFactorIsRequired, secondFactorStateOf } from '../session/second-factors.ts'
import { consumeChallenge } from './challenges.ts'
import { createFactors, type Owner, passkeyOf, saveRecoveryCodes, secretsOf } from './factors.ts'
import { type Context, type NamedAnswer, readNewPasskey, type Site } from './passkeys.ts'
import { readCode } from './recovery-codes.ts'
import { Unreadable } from './secret-key.ts'
import { stepOf } from './totp.ts'

type Own = Owner & { is_super_admin: boolean; is_auditor: boolean }

export function ownSecondFactors(deps: SignInDeps) {
  const { db, env, secretKey, rights } = deps
  const factors = createFactors(deps)

  return {
    addAuthenticator,
    confirmAuthenticator,
    removeAuthenticator,
    requestPasskey,
    addPasskey,
    renamePasskey,
    removePasskey,
    renewRecoveryCodes,
  }

  async function addAuthenticator(actor: Actor) {
    requirePasswordLogin(env)
    return change(actor, factors.startAuthenticator)
  }

  async function confirmAuthenticator(actor: Actor, text: string) {
    requirePasswordLogin(env)
    const sealed = (await secretsOf(db, actor.id))?.new_secret
    if (!sealed) throw startAgain()
    const secret = await secretKey.open(actor.id, sealed).catch(asStartAgain)
    const step = stepOf(secret, readCode(text))
    if (step === undefined)
      throw invalid('code', 'This code is wrong or has expired. Enter the one that the app shows now.')
    return add(actor, async (trx, own) => {
      if (!(await factors.confirmAuthenticator(trx, own, sealed, step))) throw startAgain()
      return {}
    })
  }

  function removeAuthenticator(actor: Actor) {
    return change(actor, async (trx, own) => {
      const removed = await trx
        .deleteFrom('authenticators')
        .where('user_id', '=', own.id)
        .where('secret', 'is not', null)
        .returning('user_id')
        .executeTakeFirst()
      found(removed, 'Authenticator app')
      await afterRemoval(trx, own, 'authenticator')
    })
  }

  async function requestPasskey(actor: Actor, site: Site) {
    requirePasswordLogin(env)
    return change(actor, (trx, own) => factors.startPasskey(trx, own, site))
  }

  async function addPasskey(actor: Actor, { name, answer }: NamedAnswer, context: Context) {
    requirePasswordLogin(env)
    // In a transaction of its own, so that the challenge counts as used whatever the answer is.
    const challenge = await change(actor, (trx, { id }) =>
      consumeChallenge(trx, answer, { purpose: 'new', user_id: id }),
    )
    const passkey = await readNewPasskey(context, challenge, answer)
    return add(actor, async (trx, own) => ({ passkey: await factors.insertPasskey(trx, own, name, passkey) }))
  }

  function renamePasskey(actor: Actor, id: number, name: string) {
    return change(actor, async (trx, own) => {
      const before = await passkeyOf(trx, own.id, id)
      await trx.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
      const changes = { name: { before: before.name, after: name } }
      if (before.name !== name) await auditOwn(trx, own, { action: 'update', entity: 'passkey', changes })
      return { ...before, name }
    })
  }

  function removePasskey(actor: Actor, id: number) {
    return change(actor, async (trx, own) => {
      const { name } = await passkeyOf(trx, own.id, id)
      await trx.deleteFrom('passkeys').where('id', '=', id).execute()
      const changes = { name: { before: name, after: null } }
      await afterRemoval(trx, own, 'passkey', changes)
    })
  }

  async function renewRecoveryCodes(actor: Actor) {
    requirePasswordLogin(env)
    const codes = await factors.createCodes(actor.id)
    return change(actor, async (trx, own) => {
      if ((await countSecondFactors(trx, own.id)) === 0)
        throw conflict('Recovery codes replace a second factor. Set up an authenticator app or a passkey first.')
      await mailOwner(trx, env, 'own_recovery_codes', own)
      return { recovery_codes: await saveRecoveryCodes(trx, own, codes) }
    })
  }

  function change<Result>(actor: Actor, work: (trx: Trx, own: Own) => Promise<Result>) {
    return rights.writeUser(actor, { id: actor.id }, async (trx, user) => {
      if (!user) throw signedOut()
      return work(trx, { ...user, ip: actor.ip, token_hash: actor.token_hash })
    })
  }

  async function add<Result>(actor: Actor, work: (trx: Trx, own: Own) => Promise<Result>) {
    const codes = (await hasRecoveryCodes(db, actor)) ? undefined : await factors.createCodes(actor.id)
    return change(actor, async (trx, own) => {
      const result = await work(trx, own)
      if (await hasRecoveryCodes(trx, own)) return { ...result, recovery_codes: null }
      if (!codes) throw conflict('Your second factors have just been changed elsewhere. Try again.')
      return { ...result, recovery_codes: await saveRecoveryCodes(trx, own, codes) }
    })
  }

  async function afterRemoval(trx: Trx, own: Own, entity: 'authenticator' | 'passkey', changes = {}) {
    await auditOwn(trx, own, { action: 'delete', entity, changes })
    await mailOwner(trx, env, `own_${entity}_removed`, own)
    if ((await countSecondFactors(trx, own.id)) > 0) return
    if (secondFactorIsRequired(env, own))
      throw conflict('This server requires you to use a second factor. Add another one before you remove this one.')
    const { numDeletedRows } = await trx.deleteFrom('recovery_codes').where('user_id', '=', own.id).executeTakeFirst()
    if (numDeletedRows > 0n) await auditOwn(trx, own, { action: 'delete', entity: 'recovery_codes', changes: {} })
  }
}

async function hasRecoveryCodes(db: Db, { id }: { id: number }) {
  const { recovery_codes_left } = await secondFactorStateOf(db, id)
  return recovery_codes_left > 0
}

function asStartAgain(error: unknown): never {
  throw error instanceof Unreadable ? startAgain() : error
}

function startAgain() {
  return conflict('Start to set up the authenticator app again: this set-up is no longer valid.')
}
