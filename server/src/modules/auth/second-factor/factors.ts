import { randomBytes } from 'node:crypto'
import { PASSKEYS_PER_USER } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import { endedSignIns, endSignIns } from '../../../db/access.ts'
import { audit } from '../../../db/audit.ts'
import type { Db, SystemDb, Trx } from '../../../db/open.ts'
import { exists } from '../../../db/read.ts'
import type { Tables } from '../../../db/tables.ts'
import { conflict } from '../../../problem.ts'
import { randomToken } from '../../../token.ts'
import type { SessionUser } from '../session/open-session.ts'
import { type Answer, CHALLENGE_MINUTES, challengeOf, type StoredPasskey } from './passkeys.ts'
import type { NewRecoveryCodes } from './recovery-codes.ts'
import { countSecondFactors, PASSKEY } from './state.ts'

const HANDLE_BYTES = 32

/** Who changes the second factors of a user: always the user. `token_hash` is of the session in which they do it, if any. */
export type Owner = SessionUser & { ip: string; token_hash?: Buffer }

type Purpose = { purpose: Tables['passkey_challenges']['purpose']; user_id: number | null }

/** A challenge for one answer. Removes two expired ones, so that the table holds little more than those in use. */
export async function saveChallenge(db: SystemDb | Trx, { purpose, user_id }: Purpose) {
  const challenge = randomToken()
  const expires_at = sql<Date>`now() + make_interval(mins => ${CHALLENGE_MINUTES})`
  await db.insertInto('passkey_challenges').values({ challenge, purpose, user_id, expires_at }).execute()
  await sql`delete from passkey_challenges where challenge in (
    select challenge from passkey_challenges where expires_at < now() order by expires_at limit 2
    for update skip locked)`.execute(db)
  return challenge
}

/** The challenge of an answer, if it is one of ours, for this purpose and user. It cannot be answered again. */
export async function consumeChallenge(db: SystemDb | Trx, answer: Answer, { purpose, user_id }: Purpose) {
  const challenge = challengeOf(answer)
  if (challenge === undefined) return
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where(sql<boolean>`user_id is not distinct from ${user_id}::int`)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('challenge')
    .executeTakeFirst()
  return taken?.challenge
}

export function knownPasskeysOf(db: Db, user_id: number) {
  return db.selectFrom('passkeys').select(['credential_id', 'transports']).where('user_id', '=', user_id).execute()
}

/** The same for all passkeys of a user, so that an authenticator replaces the one that it has. */
export async function handleOf(db: SystemDb | Trx, user_id: number) {
  const { handle } = await db
    .insertInto('passkey_handles')
    .values({ user_id, handle: randomBytes(HANDLE_BYTES) })
    .onConflict((at) => at.column('user_id').doUpdateSet({ handle: sql`passkey_handles.handle` }))
    .returning('handle')
    .executeTakeFirstOrThrow()
  return handle
}

export function requireSpareSlot(passkeys: number) {
  if (passkeys >= PASSKEYS_PER_USER)
    throw conflict(`You have ${PASSKEYS_PER_USER} passkeys already. Remove one of them first.`)
}

/** The row of the user must be locked, or no other passkey may exist. */
export async function insertPasskey(trx: Trx, owner: Owner, name: string, passkey: StoredPasskey) {
  requireSpareSlot((await knownPasskeysOf(trx, owner.id)).length)
  const ended = await endOlderSignIns(trx, owner)
  const created = await trx
    .insertInto('passkeys')
    .values({ ...passkey, user_id: owner.id, name })
    .onConflict((at) => at.column('credential_id').doNothing())
    .returning(PASSKEY)
    .executeTakeFirst()
  if (!created) throw conflict('This passkey was added already. Use another one.')
  await record(trx, owner, 'create', 'passkey', { name: { before: null, after: name }, ...ended })
  return created
}

/** False if the passkey is gone, or its counter shows that a copy of it was used. */
export async function usePasskey(trx: Trx, { id, counter, rp_id }: { id: number; counter: number; rp_id: string }) {
  const { numUpdatedRows } = await trx
    .updateTable('passkeys')
    .set({ counter, rp_id, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    // Many authenticators do not count, and always send 0.
    .where(sql<boolean>`(counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * The first second factor ends what a password alone has opened, except the session in which it is set up. Call it before
 * the factor is there. Returns what ended, for its event.
 */
async function endOlderSignIns(trx: Trx, { id, token_hash }: Owner) {
  if ((await countSecondFactors(trx, id)) > 0) return {}
  const ended = await endSignIns(trx, sql`users.id = ${id}`, { kept: token_hash })
  return endedSignIns(ended, token_hash ? 1 : 0)
}

/** Starts to set up an authenticator app. Replaces a set-up that was not finished. */
export async function saveNewSecret(db: SystemDb | Trx, user_id: number, new_secret: Buffer) {
  await db
    .insertInto('authenticators')
    .values({ user_id, new_secret })
    .onConflict((at) => at.column('user_id').doUpdateSet({ new_secret }))
    .execute()
}

/** The encrypted secret of a set-up that is not finished. */
export async function newSecretOf(db: Db, user_id: number) {
  const stored = await db
    .selectFrom('authenticators')
    .select('new_secret')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return stored?.new_secret
}

/** The new secret becomes the secret. False if another one was started meanwhile: then nothing may be committed. */
export async function confirmSecret(trx: Trx, owner: Owner, new_secret: Buffer, step: number) {
  const ended = await endOlderSignIns(trx, owner)
  const confirmed = await sql<{ had_secret: boolean }>`
    update authenticators set secret = authenticators.new_secret, new_secret = null, last_step = ${step},
      confirmed_at = now()
    from (select user_id, secret is not null as had_secret from authenticators where user_id = ${owner.id}) before
    where authenticators.user_id = before.user_id and authenticators.new_secret = ${new_secret}
    returning had_secret`.execute(trx)
  const [row] = confirmed.rows
  if (!row) return false
  await record(trx, owner, row.had_secret ? 'update' : 'create', 'authenticator', ended)
  return true
}

export function hasRecoveryCodes(db: Db, user_id: number) {
  return exists(db, sql`select from recovery_codes where user_id = ${user_id} and used_at is null`)
}

/** Replaces the recovery codes. */
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
  await record(trx, owner, numDeletedRows > 0n ? 'update' : 'create', 'recovery_codes')
  return codes
}

type Changes = Parameters<typeof audit>[2]['changes']

export async function record(
  trx: Trx,
  { id, full_name, email, workspace_id, ip }: Owner,
  action: 'create' | 'update' | 'delete' | 'use',
  entity: 'authenticator' | 'passkey' | 'recovery_codes',
  changes: Changes = {},
) {
  const about = { name: full_name, detail: email, workspace_id }
  await audit(trx, { id, name: full_name, ip }, { action, entity, entity_id: id, record: about, changes })
}
