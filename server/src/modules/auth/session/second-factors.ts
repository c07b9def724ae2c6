import type { SecondFactorState } from '@watchdesk/contract/account'
import type { SecondFactor } from '@watchdesk/contract/auth/session'
import { sql } from 'kysely'
import { isoTime } from '../../../db/iso-time.ts'
import type { Db } from '../../../db/open.ts'
import { rowsOf } from '../../../db/read.ts'
import type { Env } from '../../../env.ts'
import { found } from '../../../problem.ts'

export async function secondFactorStateOf(db: Db, user_id: number): Promise<SecondFactorState> {
  const [state] = await rowsOf(
    db,
    sql<SecondFactorState>`select
      (select json_build_object('created_at', ${isoTime(sql`confirmed_at`)})
        from authenticators where user_id = ${user_id} and secret is not null) as authenticator,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'created_at', ${isoTime(sql`created_at`)},
          'last_used_at', ${isoTime(sql`last_used_at`)}) order by id), '[]')
        from passkeys where user_id = ${user_id}) as passkeys,
      (select count(*)::int from recovery_codes where user_id = ${user_id} and used_at is null) as recovery_codes_left`,
  )
  return found(state, 'User')
}

/** Recovery codes replace another factor, and are none by themselves. */
export async function secondFactorsOf(db: Db, user_id: number): Promise<SecondFactor[]> {
  const { authenticator, passkeys, recovery_codes_left } = await secondFactorStateOf(db, user_id)
  const has = { authenticator: authenticator !== null, passkey: passkeys.length > 0 }
  if (!has.authenticator && !has.passkey) return []
  const all = { ...has, recovery_code: recovery_codes_left > 0 }
  return (['authenticator', 'passkey', 'recovery_code'] as const).filter((factor) => all[factor])
}

export async function countSecondFactors(db: Db, user_id: number) {
  const { authenticator, passkeys } = await secondFactorStateOf(db, user_id)
  return passkeys.length + (authenticator ? 1 : 0)
}

/** Auditors see as much as super admins. */
export function secondFactorIsRequired(
  { REQUIRE_SECOND_FACTOR }: Pick<Env, 'REQUIRE_SECOND_FACTOR'>,
  { is_super_admin, is_auditor }: { is_super_admin: boolean; is_auditor: boolean },
) {
  if (REQUIRE_SECOND_FACTOR !== 'super_admins') return REQUIRE_SECOND_FACTOR === 'all'
  return is_super_admin || is_auditor
}
