import { sql } from 'kysely'
import { audit, SYSTEM } from './db/audit.ts'
import { purgeJobs } from './db/job-queue.ts'
import { allowTime } from './db/long.ts'
import type { SystemDb } from './db/open.ts'
import type { Env } from './env.ts'
import { purgeBin, purgeSources } from './modules/bin/purge.ts'
import { RECORD_KINDS } from './record-kinds.ts'

const MAX_MS = 60 * 60 * 1000
const SESSIONS_AT_ONCE = 500

type SessionLimits = Pick<Env, 'SESSION_MAX_MINUTES' | 'SESSION_IDLE_MINUTES'>

/**
 * Removes rows deleted more than 30 days ago, old jobs, mails and notices, and expired sessions, unfinished sign-ins,
 * challenges of passkeys, links, idempotency keys, login counters and mail limits.
 */
export async function purge(db: SystemDb, limits: SessionLimits) {
  await purgeBin(db, RECORD_KINDS, MAX_MS)
  await purgeJobs(db)
  await purgeSources(db, MAX_MS)
  await purgeSessions(db, limits)
  await db.deleteFrom('pending_sign_ins').where('expires_at', '<', sql<Date>`now()`).execute()
  await db.deleteFrom('idempotency_keys').where('created_at', '<', sql<Date>`now() - interval '1 day'`).execute()
  await db.deleteFrom('audit_once').where('minute', '<', sql<Date>`now() - interval '1 hour'`).execute()
  await db.deleteFrom('failed_sign_ins').where('changed_at', '<', sql<Date>`now() - interval '1 hour'`).execute()
  await db.deleteFrom('passkey_challenges').where('expires_at', '<', sql<Date>`now()`).execute()
  // Shown as expired for a while, so that nobody wonders where a token went.
  await db.deleteFrom('api_tokens').where('expires_at', '<', sql<Date>`now() - interval '30 days'`).execute()
  await db.deleteFrom('one_time_links').where('expires_at', '<', sql<Date>`now()`).execute()
  // Only if no server has sent mails for long: otherwise the last attempt removes them.
  await db.deleteFrom('mails').where('created_at', '<', sql<Date>`now() - interval '26 hours'`).execute()
  await db.deleteFrom('mail_limits').where('used_until', '<', sql<Date>`now()`).execute()
  await db.deleteFrom('account_notices').where('at', '<', sql<Date>`now() - interval '1 year'`).execute()
}

/**
 * Removes the sessions that have ended by themselves, with an event for each in the same statement. Several servers skip
 * each other's rows, so that no end is recorded twice.
 */
async function purgeSessions(db: SystemDb, { SESSION_MAX_MINUTES, SESSION_IDLE_MINUTES }: SessionLimits) {
  const hasEnded = sql`(created_at <= now() - make_interval(mins => ${SESSION_MAX_MINUTES})
    or last_seen_at <= now() - make_interval(mins => ${SESSION_IDLE_MINUTES}))`
  let removed = SESSIONS_AT_ONCE
  while (removed === SESSIONS_AT_ONCE) {
    const { rows } = await sql<{ removed: number }>`with ended as (
        delete from sessions where token_hash in (
          select token_hash from sessions where ${hasEnded} limit ${sql.lit(SESSIONS_AT_ONCE)} for update skip locked)
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

/** Removes events older than the days that they are kept, if there is a limit, and records how many. */
export async function purgeEvents(db: SystemDb, days: number | undefined) {
  if (!days) return
  await db.transaction().execute(async (trx) => {
    await allowTime(trx, MAX_MS)
    const { rows } = await sql<{ purged: number }>`select purge_audit_events(${days}) as purged`.execute(trx)
    const purged = rows[0]?.purged ?? 0
    if (purged === 0) return
    const changes = { events: { before: purged, after: 0 }, days: { before: null, after: days } }
    await audit(trx, SYSTEM, { action: 'purge', entity: 'activity', entity_id: null, changes })
  })
}
