import { sql } from 'kysely'
import { audit, SYSTEM } from './db/audit.ts'
import { purgeJobs } from './db/job-queue.ts'
import { inParts, longTransaction } from './db/long.ts'
import type { SystemDb } from './db/open.ts'
import type { Env } from './env.ts'
import { purgeBin, purgeSources } from './modules/bin/purge.ts'
import { RECORD_KINDS } from './record-kinds.ts'

const MAX_MS = 60 * 60 * 1000
const SESSIONS_AT_ONCE = 500

type SessionLimits = Pick<Env, 'SESSION_MAX_MINUTES' | 'SESSION_IDLE_MINUTES'>

export async function purge(db: SystemDb, limits: SessionLimits) {
  await purgeBin(db, RECORD_KINDS, MAX_MS)
  await purgeJobs(db)
  await purgeSources(db, MAX_MS)
  await purgeSessions(db, limits)
  for (const [table, isOver] of OVER) await sql`delete from ${sql.table(table)} where ${isOver}`.execute(db)
}

const OVER = [
  ['pending_sign_ins', sql`expires_at < now()`],
  ['idempotency_keys', sql`created_at < now() - interval '1 day'`],
  ['audit_once', sql`minute < now() - interval '1 hour'`],
  ['failed_sign_ins', sql`changed_at < now() - interval '1 hour'`],
  ['passkey_challenges', sql`expires_at < now()`],
  // Shown as expired for a while, so that nobody wonders where a token went.
  ['api_tokens', sql`expires_at < now() - interval '30 days'`],
  ['one_time_links', sql`expires_at < now()`],
  // Only if no server has sent mails for long: otherwise the last attempt removes them.
  ['mails', sql`created_at < now() - interval '26 hours'`],
  ['mail_limits', sql`used_until < now()`],
  ['account_notices', sql`at < now() - interval '1 year'`],
] as const

/** Several servers skip each other's rows, so that no end is recorded twice. */
async function purgeSessions(db: SystemDb, { SESSION_MAX_MINUTES, SESSION_IDLE_MINUTES }: SessionLimits) {
  const hasEnded = sql`(created_at <= now() - make_interval(mins => ${SESSION_MAX_MINUTES})
    or last_seen_at <= now() - make_interval(mins => ${SESSION_IDLE_MINUTES}))`
  await inParts(db, MAX_MS, SESSIONS_AT_ONCE, async (trx) => {
    const { numAffectedRows } = await sql`with ended as (
        delete from sessions where token_hash in (
          select token_hash from sessions where ${hasEnded} limit ${sql.lit(SESSIONS_AT_ONCE)} for update skip locked)
        returning user_id, method
      )
      insert into audit_events (action, entity, entity_id, actor_name, record_name, record_detail, workspace_id, changes)
      select 'expire', 'session', users.id, ${SYSTEM.name}, users.full_name, users.email, users.workspace_id,
        jsonb_build_object('method', jsonb_build_object('before', ended.method, 'after', null))
      from ended join users on users.id = ended.user_id`.execute(trx)
    return Number(numAffectedRows ?? 0)
  })
}

export async function purgeEvents(db: SystemDb, days: number | undefined) {
  if (!days) return
  await longTransaction(db, MAX_MS, async (trx) => {
    const { rows } = await sql<{ purged: number }>`select purge_audit_events(${days}) as purged`.execute(trx)
    const purged = rows[0]?.purged ?? 0
    if (purged === 0) return
    const changes = { events: { before: purged, after: 0 }, days: { before: null, after: days } }
    await audit(trx, SYSTEM, { action: 'purge', entity: 'activity', entity_id: null, changes })
  })
}
