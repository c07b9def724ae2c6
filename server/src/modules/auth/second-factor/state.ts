import type { Passkey, SecondFactorState } from '@watchdesk/contract/account'
import { sql } from 'kysely'
import { isoTime } from '../../../db/iso-time.ts'
import type { Db, Trx } from '../../../db/open.ts'
import { rowsOf } from '../../../db/read.ts'
import { unlockSecondFactor } from '../session/lockout.ts'

/** The second factors of a user, for the user and for admins. */
export async function secondFactorStateOf(db: Db, user_id: number): Promise<SecondFactorState> {
  const authenticator = await db
    .selectFrom('authenticators')
    .select(isoTime(sql`confirmed_at`).as('created_at'))
    .where('user_id', '=', user_id)
    .where('secret', 'is not', null)
    .executeTakeFirst()
  const passkeys = await db
    .selectFrom('passkeys')
    .select(PASSKEY)
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()
  const codes = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { authenticator: authenticator ?? null, passkeys, recovery_codes_left: codes.left }
}

/** The columns of a passkey, as the API returns them. */
export const PASSKEY = [
  'passkeys.id',
  'passkeys.name',
  isoTime(sql`passkeys.created_at`).as('created_at'),
  sql<Passkey['last_used_at']>`${isoTime(sql`passkeys.last_used_at`)}`.as('last_used_at'),
] as const

/** How many second factors a user has. Recovery codes are none. */
export async function countSecondFactors(db: Db, user_id: number) {
  const [row] = await rowsOf(
    db,
    sql<{ count: number }>`select (select count(*) from passkeys where user_id = ${user_id})
      + (select count(*) from authenticators where user_id = ${user_id} and secret is not null) as count`,
  )
  return row?.count ?? 0
}

/**
 * Removes everything about the second factors of a user. The caller checks the rights, locks the row of the user, ends
 * sign-ins that wait for a factor and records it.
 */
export async function removeSecondFactors(trx: Trx, user_id: number) {
  await trx.deleteFrom('authenticators').where('user_id', '=', user_id).execute()
  await trx.deleteFrom('passkeys').where('user_id', '=', user_id).execute()
  await trx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()
  await trx.deleteFrom('passkey_challenges').where('user_id', '=', user_id).execute()
  await unlockSecondFactor(trx, user_id)
}
