import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hashToken } from '../plugins/auth.ts'
import { caller, type Watchdesk } from './watchdesk.ts'

type Age = { created_minutes_ago?: number; seen_minutes_ago?: number }

/** A caller with a session of its own, of any age, for any user: also for one who could not sign in. */
export async function openSession({ app, database }: Watchdesk, user_id: number, age: Age = {}) {
  const token = randomBytes(32).toString('base64url')
  const { created_minutes_ago = 0, seen_minutes_ago = 0 } = age
  await sql`insert into sessions (token_hash, user_id, created_at, last_seen_at) values (
    ${hashToken(token)}, ${user_id},
    now() - make_interval(mins => ${created_minutes_ago}), now() - make_interval(mins => ${seen_minutes_ago}))`.execute(
    database.db,
  )
  return caller(app, token)
}
