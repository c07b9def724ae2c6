import { SIGN_IN_EXPIRED } from '@watchdesk/contract/auth/session'
import { PENDING_SIGN_IN_MINUTES } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import type { Client, SigningIn } from '../../../actor.ts'
import type { SystemDb, Trx } from '../../../db/open.ts'
import type { PendingKind } from '../../../db/tables.ts'
import type { Env } from '../../../env.ts'
import { Problem } from '../../../problem.ts'
import { hashToken, randomToken } from '../../../token.ts'
import { sealIdToken } from './id-token.ts'

type Pending = {
  kind: PendingKind
  user_id: number | null
  data?: Record<string, unknown>
  id_token?: string
  minutes?: number
}

export async function savePending(db: SystemDb | Trx, signIn: Pending) {
  const { data, id_token, minutes = PENDING_SIGN_IN_MINUTES, ...pending } = signIn
  const token = randomToken()
  const { expires_at } = await db
    .insertInto('pending_sign_ins')
    .values({
      ...pending,
      token_hash: hashToken(token),
      expires_at: sql<Date>`now() + make_interval(mins => ${minutes})`,
      data: JSON.stringify({ ...data, id_token: id_token && sealIdToken(token, id_token).toString('base64') }),
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token, expires_at: expires_at.toISOString() }
}

export function createFindSigningIn(db: SystemDb, { PASSWORD_LOGIN }: Pick<Env, 'PASSWORD_LOGIN'>) {
  return async (token: string, client: Client): Promise<SigningIn> => {
    // It began at a server that still had another setting.
    if (PASSWORD_LOGIN === 'off') throw signInExpired()
    const token_hash = hashToken(token)
    const pending = await findPending(db, ['second_factor', 'set_up'], token_hash)
    if (!pending?.user_id) throw signInExpired()
    return { user_id: pending.user_id, token_hash, mustSetUp: pending.kind === 'set_up', ...client }
  }
}

export function findPending(db: SystemDb, kinds: PendingKind[], token_hash: Buffer) {
  return db
    .selectFrom('pending_sign_ins')
    .select(['user_id', 'kind', 'data'])
    .where('token_hash', '=', token_hash)
    .where('kind', 'in', kinds)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/** Of two uses at once, one finds it. */
export function consumePending(db: SystemDb | Trx, kind: PendingKind, token_hash: Buffer) {
  return db
    .deleteFrom('pending_sign_ins')
    .where('token_hash', '=', token_hash)
    .where('kind', '=', kind)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['user_id', 'data'])
    .executeTakeFirst()
}

export function signInExpired() {
  return new Problem(401, SIGN_IN_EXPIRED, { 'www-authenticate': 'Bearer' })
}
