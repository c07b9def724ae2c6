import type { NewAuthenticator } from '@watchdesk/contract/auth/session'
import type { Actor } from '../../../actor.ts'
import type { Trx } from '../../../db/open.ts'
import type { SignInDeps } from '../../../deps.ts'
import { conflict, found, invalid, signedOut } from '../../../problem.ts'
import { mailOwner } from '../notices.ts'
import { requirePasswordLogin } from '../session/password-login.ts'
import { secondFactorIsRequired } from '../session/store.ts'
import {
  confirmSecret,
  consumeChallenge,
  handleOf,
  hasRecoveryCodes,
  insertPasskey,
  knownPasskeysOf,
  newSecretOf,
  type Owner,
  record,
  requireSpareSlot,
  saveChallenge,
  saveNewSecret,
  saveRecoveryCodes,
} from './factors.ts'
import { creationOptions, readNewPasskey, type Site } from './passkeys.ts'
import { createRecoveryCodes, type NewRecoveryCodes, readCode } from './recovery-codes.ts'
import { Unreadable } from './secret-key.ts'
import { type Context, type NamedAnswer, UNKNOWN_CHALLENGE, unusablePasskey } from './set-up.ts'
import { countSecondFactors, PASSKEY } from './state.ts'
import { describeSecret, issuerOf, looksLikeCode, newSecret, stepOf } from './totp.ts'

type Own = Owner & { is_super_admin: boolean; is_auditor: boolean }

/** The second factors of the caller. */
export function ownSecondFactors({ db, env, secretKey, passwords, rights }: SignInDeps) {
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

  async function addAuthenticator(actor: Actor): Promise<NewAuthenticator> {
    requirePasswordLogin(env)
    const secret = newSecret()
    const new_secret = await secretKey.seal(actor.id, secret)
    await change(actor, (trx) => saveNewSecret(trx, actor.id, new_secret))
    return describeSecret(secret, { issuer: issuerOf(env.PUBLIC_URL), label: actor.email })
  }

  async function confirmAuthenticator(actor: Actor, text: string) {
    requirePasswordLogin(env)
    const sealed = await newSecretOf(db, actor.id)
    if (!sealed) throw startAgain()
    const secret = await secretKey.open(actor.id, sealed).catch(asStartAgain)
    const code = readCode(text)
    const step = looksLikeCode(code) ? stepOf(secret, code) : undefined
    if (step === undefined)
      throw invalid('code', 'This code is wrong or has expired. Enter the one that the app shows now.')
    const prepared = await prepareCodes(actor)
    return change(actor, async (trx, own) => {
      if (!(await confirmSecret(trx, own, sealed, step))) throw startAgain()
      await mailOwner(trx, env, 'own_authenticator', own)
      return { recovery_codes: await issueFirstRecoveryCodes(trx, own, prepared) }
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
      await record(trx, own, 'delete', 'authenticator')
      await mailOwner(trx, env, 'own_authenticator_removed', own)
      await afterRemoval(trx, own)
    })
  }

  async function requestPasskey(actor: Actor, site: Site) {
    requirePasswordLogin(env)
    return change(actor, async (trx, own) => {
      const passkeys = await knownPasskeysOf(trx, own.id)
      requireSpareSlot(passkeys.length)
      const challenge = await saveChallenge(trx, { purpose: 'new', user_id: own.id })
      return creationOptions(site, challenge, { ...own, handle: await handleOf(trx, own.id), passkeys })
    })
  }

  async function addPasskey(actor: Actor, { name, answer }: NamedAnswer, { site, log }: Context) {
    requirePasswordLogin(env)
    const prepared = await prepareCodes(actor)
    const added = await change(actor, async (trx, own) => {
      const challenge = await consumeChallenge(trx, answer, { purpose: 'new', user_id: own.id })
      const passkey = challenge === undefined ? UNKNOWN_CHALLENGE : await readNewPasskey(site, challenge, answer)
      // Returned instead of thrown, so that the challenge counts as used.
      if (passkey instanceof Error) return passkey
      const created = await insertPasskey(trx, own, name, passkey)
      await mailOwner(trx, env, 'own_passkey', own)
      return { passkey: created, recovery_codes: await issueFirstRecoveryCodes(trx, own, prepared) }
    })
    if (added instanceof Error) throw unusablePasskey(added, log)
    return added
  }

  function renamePasskey(actor: Actor, id: number, name: string) {
    return change(actor, async (trx, own) => {
      const before = await passkeyOf(trx, own, id)
      const renamed = await trx
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('user_id', '=', own.id)
        .returning(PASSKEY)
        .executeTakeFirst()
      if (before.name !== name)
        await record(trx, own, 'update', 'passkey', { name: { before: before.name, after: name } })
      return found(renamed, 'Passkey')
    })
  }

  function removePasskey(actor: Actor, id: number) {
    return change(actor, async (trx, own) => {
      const { name } = await passkeyOf(trx, own, id)
      await trx.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', own.id).execute()
      await record(trx, own, 'delete', 'passkey', { name: { before: name, after: null } })
      await mailOwner(trx, env, 'own_passkey_removed', own)
      await afterRemoval(trx, own)
    })
  }

  async function renewRecoveryCodes(actor: Actor) {
    requirePasswordLogin(env)
    if ((await countSecondFactors(db, actor.id)) === 0) throw noSecondFactor()
    const prepared = await createCodes(actor)
    return change(actor, async (trx, own) => {
      if ((await countSecondFactors(trx, own.id)) === 0) throw noSecondFactor()
      await mailOwner(trx, env, 'own_recovery_codes', own)
      return { recovery_codes: await saveRecoveryCodes(trx, own, prepared) }
    })
  }

  /** The row of the user is locked meanwhile. */
  function change<Result>(actor: Actor, work: (trx: Trx, own: Own) => Promise<Result>) {
    return rights.writeUser(actor, { id: actor.id }, async (trx, user) => {
      if (!user) throw signedOut()
      const { id, full_name, email, workspace_id, is_super_admin, is_auditor } = user
      const { ip, token_hash } = actor
      return work(trx, { id, full_name, email, workspace_id, is_super_admin, is_auditor, ip, token_hash })
    })
  }

  /** Hashed before the transaction, because that takes long. Undefined if the user has some already. */
  async function prepareCodes(actor: Actor) {
    return (await hasRecoveryCodes(db, actor.id)) ? undefined : createCodes(actor)
  }

  function createCodes({ id }: Actor) {
    return passwords.change(id, () => createRecoveryCodes(passwords))
  }

  async function afterRemoval(trx: Trx, own: Own) {
    if ((await countSecondFactors(trx, own.id)) > 0) return
    if (secondFactorIsRequired(env, own))
      throw conflict('This server requires you to use a second factor. Add another one before you remove this one.')
    const { numDeletedRows } = await trx.deleteFrom('recovery_codes').where('user_id', '=', own.id).executeTakeFirst()
    if (numDeletedRows > 0n) await record(trx, own, 'delete', 'recovery_codes')
  }
}

/** The first second factor comes with recovery codes. */
async function issueFirstRecoveryCodes(trx: Trx, own: Own, prepared: NewRecoveryCodes | undefined) {
  if (await hasRecoveryCodes(trx, own.id)) return null
  if (!prepared) throw conflict('Your second factors have just been changed elsewhere. Try again.')
  return saveRecoveryCodes(trx, own, prepared)
}

async function passkeyOf(trx: Trx, { id: user_id }: Own, id: number) {
  const passkey = await trx
    .selectFrom('passkeys')
    .select('name')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return found(passkey, 'Passkey')
}

function asStartAgain(error: unknown): never {
  throw error instanceof Unreadable ? startAgain() : error
}

function startAgain() {
  return conflict('Start to set up the authenticator app again: this set-up is no longer valid.')
}

function noSecondFactor() {
  return conflict('Recovery codes replace a second factor. Set up an authenticator app or a passkey first.')
}
