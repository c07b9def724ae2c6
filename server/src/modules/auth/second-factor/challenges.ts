import { sql } from 'kysely'
import type { Db, SystemDb, Trx } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'
import { randomToken } from '../../../token.ts'
import { type Answer, CHALLENGE_MINUTES, challengeOf } from './passkeys.ts'

type Purpose = { purpose: Tables['passkey_challenges']['purpose']; user_id: number | null }

export async function saveChallenge(db: SystemDb | Trx, { purpose, user_id }: Purpose) {
  const challenge = randomToken()
  const expires_at = sql<Date>`now() + make_interval(mins => ${CHALLENGE_MINUTES})`
  await db.insertInto('passkey_challenges').values({ challenge, purpose, user_id, expires_at }).execute()
  return challenge
}

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
