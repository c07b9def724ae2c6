import { randomBytes } from 'node:crypto'
import type { Passkey } from '@watchdesk/contract/account'
import type { NewAuthenticator } from '@watchdesk/contract/auth/session'
import { PASSKEYS_PER_USER } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import { endedSignIns, endSignIns } from '../../../db/access.ts'
import type { Db, SystemDb, Trx } from '../../../db/open.ts'
import type { SignInDeps } from '../../../deps.ts'
import { conflict, found } from '../../../problem.ts'
import { auditOwn, type Owner as OwnAccount } from '../audit-account.ts'
import { mailOwner } from '../notices.ts'
import { countSecondFactors, secondFactorStateOf } from '../session/second-factors.ts'
import { knownPasskeysOf, saveChallenge } from './challenges.ts'
import { creationOptions, type Site, type StoredPasskey } from './passkeys.ts'
import { createRecoveryCodes, type NewRecoveryCodes } from './recovery-codes.ts'
import { describeSecret, newSecret } from './totp.ts'

const HANDLE_BYTES = 32

/** `token_hash` is of the session in which users change their own factors, if any. */
export type Owner = OwnAccount & { token_hash?: Buffer }

type User = Pick<Owner, 'id' | 'email' | 'full_name'>

/** How a second factor is set up: in the account, or to sign in. In transactions, the row of the user must be locked. */
export function createFactors({ env, secretKey, passwords }: SignInDeps) {
  return { startAuthenticator, confirmAuthenticator, startPasskey, insertPasskey, createCodes }

  async function startAuthenticator(db: SystemDb | Trx, { id, email }: User): Promise<NewAuthenticator> {
    const secret = newSecret()
    const new_secret = await secretKey.seal(id, secret)
    await db
      .insertInto('authenticators')
      .values({ user_id: id, new_secret })
      .onConflict((at) => at.column('user_id').doUpdateSet({ new_secret }))
      .execute()
    return describeSecret(secret, email, env.PUBLIC_URL)
  }

  /** The new secret becomes the secret. False if another one was started meanwhile: then nothing may be committed. */
  async function confirmAuthenticator(trx: Trx, owner: Owner, new_secret: Buffer, step: number) {
    const ended = await endOlderSignIns(trx, owner)
    const { rows } = await sql<{ had_secret: boolean }>`
      update authenticators set secret = authenticators.new_secret, new_secret = null, last_step = ${step},
        confirmed_at = now()
      from (select user_id, secret is not null as had_secret from authenticators where user_id = ${owner.id}) before
      where authenticators.user_id = before.user_id and authenticators.new_secret = ${new_secret}
      returning had_secret`.execute(trx)
    const [row] = rows
    if (!row) return false
    const action = row.had_secret ? 'update' : 'create'
    await auditOwn(trx, owner, { action, entity: 'authenticator', changes: ended })
    await mailOwner(trx, env, 'own_authenticator', owner)
    return true
  }

  async function startPasskey(db: SystemDb | Trx, user: User, site: Site) {
    const passkeys = await knownPasskeysOf(db, user.id)
    requireSpareSlot(passkeys.length)
    const challenge = await saveChallenge(db, { purpose: 'new', user_id: user.id })
    return creationOptions(site, challenge, { ...user, handle: await handleOf(db, user.id), passkeys })
  }

  async function insertPasskey(trx: Trx, owner: Owner, name: string, passkey: StoredPasskey): Promise<Passkey> {
    requireSpareSlot((await knownPasskeysOf(trx, owner.id)).length)
    const ended = await endOlderSignIns(trx, owner)
    const created = await trx
      .insertInto('passkeys')
      .values({ ...passkey, user_id: owner.id, name })
      .onConflict((at) => at.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!created) throw conflict('This passkey was added already. Use another one.')
    const changes = { name: { before: null, after: name }, ...ended }
    await auditOwn(trx, owner, { action: 'create', entity: 'passkey', changes })
    await mailOwner(trx, env, 'own_passkey', owner)
    return passkeyOf(trx, owner.id, created.id)
  }

  /** Takes long, so it is done before the transaction. */
  function createCodes(user_id: number) {
    return passwords.change(user_id, () => createRecoveryCodes(passwords))
  }
}

export async function passkeyOf(db: Db, user_id: number, id: number) {
  const { passkeys } = await secondFactorStateOf(db, user_id)
  const passkey = passkeys.find((each) => each.id === id)
  return found(passkey, 'Passkey')
}

export function secretsOf(db: Db, user_id: number) {
  return db
    .selectFrom('authenticators')
    .select(['secret', 'new_secret'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

export async function saveRecoveryCodes(trx: Trx, owner: Owner, { codes, salt, hashes }: NewRecoveryCodes) {
  const user_id = owner.id
  const { numDeletedRows } = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id, salt, code_hash })))
    .execute()
  const action = numDeletedRows > 0n ? 'update' : 'create'
  await auditOwn(trx, owner, { action, entity: 'recovery_codes', changes: {} })
  return codes
}

/** The same for all passkeys of a user, so that an authenticator replaces the one that it has. */
async function handleOf(db: SystemDb | Trx, user_id: number) {
  const { handle } = await db
    .insertInto('passkey_handles')
    .values({ user_id, handle: randomBytes(HANDLE_BYTES) })
    .onConflict((at) => at.column('user_id').doUpdateSet({ handle: sql`passkey_handles.handle` }))
    .returning('handle')
    .executeTakeFirstOrThrow()
  return handle
}

function requireSpareSlot(passkeys: number) {
  if (passkeys >= PASSKEYS_PER_USER)
    throw conflict(`You have ${PASSKEYS_PER_USER} passkeys already. Remove one of them first.`)
}

/** Ends what a password alone has opened, except this session. Call it before the first second factor is there. */
async function endOlderSignIns(trx: Trx, { id, token_hash }: Owner) {
  if ((await countSecondFactors(trx, id)) > 0) return {}
  const ended = await endSignIns(trx, sql`users.id = ${id}`, { kept: token_hash })
  return endedSignIns(ended, token_hash ? 1 : 0)
}
