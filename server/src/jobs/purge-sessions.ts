import { sql } from 'kysely'
import { SYSTEM } from '../db/audit.ts'
import type { SystemDb } from '../db/open.ts'
import type { Env } from '../env.ts'

export type SessionLimits = Pick<Env, 'SESSION_MAX_MINUTES' | 'SESSION_IDLE_MINUTES'>

const AT_ONCE = 500

/**
 * Removes the sessions that have ended by themselves, with an event for each in the same statement. Several servers skip
 * each other's rows, so that no end is recorded twice.
 */
export async function purgeSessions(db: SystemDb, { SESSION_MAX_MINUTES, SESSION_IDLE_MINUTES }: SessionLimits) {
  const hasEnded = sql`(created_at <= now() - make_interval(mins => ${SESSION_MAX_MINUTES})
    or last_seen_at <= now() - make_interval(mins => ${SESSION_IDLE_MINUTES}))`
  let removed = AT_ONCE
  while (removed === AT_ONCE) {
    const { rows } = await sql<{ removed: number }>`with ended as (
        delete from sessions where token_hash in (
          select token_hash from sessions where ${hasEnded} limit ${sql.lit(AT_ONCE)} for update skip locked)
        returning user_id, method
      ), events as (
        insert into audit_events (action, entity, entity_id, actor_name, record_name, record_detail, workspace_id, changes)
        select 'expire', 'session', users.id, ${SYSTEM.name}, users.full_name, users.email, users.workspace_id,
          jsonb_build_object('method', jsonb_build_object('before', ended.method, 'after', null))
        from ended join users on users.id = ended.user_id
      )
      select count(*)::int as removed from ended`.execute(db)
    removed = rows[0]?.removed ?? 0
  }
}
