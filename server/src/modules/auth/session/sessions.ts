import type { SessionInfo } from '@watchdesk/contract/account'
import { deviceOf } from '@watchdesk/contract/device'
import { sql } from 'kysely'
import type { Actor } from '../../../actor.ts'
import { endSignIns } from '../../../db/access.ts'
import { isoTime } from '../../../db/iso-time.ts'
import type { Db, Trx } from '../../../db/open.ts'
import { rowsOf } from '../../../db/read.ts'
import type { Env } from '../../../env.ts'
import { conflict, found } from '../../../problem.ts'
import { type Account, auditAccount } from '../audit-account.ts'

type Limits = Pick<Env, 'SESSION_IDLE_MINUTES' | 'SESSION_MAX_MINUTES'>
type Row = Omit<SessionInfo, 'device'> & { user_agent: string | null }

export async function sessionsOf(db: Db, actor: Actor, user_id: number, limits: Limits): Promise<SessionInfo[]> {
  const endsAt = sql`least(created_at + make_interval(mins => ${limits.SESSION_MAX_MINUTES}),
    last_seen_at + make_interval(mins => ${limits.SESSION_IDLE_MINUTES}))`
  const rows = await rowsOf(
    db,
    sql<Row>`select id, method, user_agent, ip, ${isoTime(sql`created_at`)} as created_at,
      ${isoTime(sql`sessions.last_seen_at`)} as last_seen_at, ${isoTime(endsAt)} as ends_at,
      token_hash = ${actor.token_hash} as is_current
    from sessions where user_id = ${user_id} and ${endsAt} > now() order by sessions.last_seen_at desc, id desc`,
  )
  return rows.map(({ user_agent, ...session }) => ({ ...session, device: deviceOf(user_agent) }))
}

/** Without an id, all but that of the caller. Returns whether any ended. */
export async function endSessions(trx: Trx, actor: Actor, user: Account, session_id?: number) {
  const all = await trx.selectFrom('sessions').select(['id', 'token_hash']).where('user_id', '=', user.id).execute()
  const isCurrent = ({ token_hash }: { token_hash: Buffer }) => token_hash.equals(actor.token_hash)
  const chosen = all.filter((session) => (session_id === undefined ? !isCurrent(session) : session.id === session_id))
  if (session_id !== undefined) {
    const session = found(chosen[0], 'Session')
    if (isCurrent(session)) throw conflict('This is the session that you are using. Use Logout to end it.')
  }
  const ids = chosen.map(({ id }) => id)
  // Without sessions, there may still be links and sign-ins that are not finished.
  if (session_id === undefined) await endSignIns(trx, sql`users.id = ${user.id}`, { kept: actor.token_hash })
  else await trx.deleteFrom('sessions').where('id', 'in', ids).execute()
  if (ids.length === 0) return false
  const changes = { sessions: { before: all.length, after: all.length - ids.length } }
  await auditAccount(trx, actor, user, { action: 'end_sessions', entity: 'session', changes })
  return true
}
