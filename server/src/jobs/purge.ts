import { sql } from 'kysely'
import { audit, SYSTEM } from '../db/audit.ts'
import { purgeJobs } from '../db/job-leases.ts'
import { allowTime } from '../db/long.ts'
import type { SystemDb } from '../db/open.ts'
import type { Env } from '../env.ts'
import { purgeBin, purgeSources } from './purge-bin.ts'
import { purgeImports, purgeStories } from './purge-imports.ts'
import { purgeSessions, type SessionLimits } from './purge-sessions.ts'
import { purgeRowSets, purgeSheets } from './purge-sheets.ts'

const FIRST_MS = 60 * 1000
const EVERY_MS = 60 * 60 * 1000

/**
 * Removes rows deleted more than 30 days ago, old jobs, mails and notices, and expired sessions, unfinished sign-ins,
 * challenges of passkeys, links, idempotency keys, login counters and mail limits.
 */
export async function purge(db: SystemDb, limits: SessionLimits) {
  await purgeBin(db, EVERY_MS)
  await purgeJobs(db)
  await purgeSources(db, EVERY_MS)
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
  // Earlier releases counted failed logins here, by email in plain text.
  await sql`delete from login_failures where changed_at < now() - interval '1 day'`.execute(db)
}

/** Removes events older than the days that they are kept, and records how many. */
export async function purgeEvents(db: SystemDb, days: number) {
  await db.transaction().execute(async (trx) => {
    await allowTime(trx, EVERY_MS)
    const { rows } = await sql<{ purged: number }>`select purge_audit_events(${days}) as purged`.execute(trx)
    const purged = rows[0]?.purged ?? 0
    if (purged === 0) return
    const changes = { events: { before: purged, after: 0 }, days: { before: null, after: days } }
    await audit(trx, SYSTEM, { action: 'purge', entity: 'activity', entity_id: null, changes })
  })
}

type Kept = SessionLimits & Pick<Env, 'AUDIT_KEEP_DAYS' | 'SHEETS_KEEP_DAYS' | 'PUBLIC_URL'>

/** Safe to run on every replica at the same time. */
export function startPurging(db: SystemDb, env: Kept, onError: (error: unknown) => void) {
  const { AUDIT_KEEP_DAYS } = env
  const run = () => {
    void purge(db, env).catch(onError)
    void purgeSheets(db, env).catch(onError)
    void purgeImports(db, env.SHEETS_KEEP_DAYS)
      .then(() => purgeRowSets(db))
      .catch(onError)
    void purgeStories(db).catch(onError)
    if (AUDIT_KEEP_DAYS) void purgeEvents(db, AUDIT_KEEP_DAYS).catch(onError)
  }
  // The first purge runs early, for servers that restart more often than once an hour.
  const first = setTimeout(run, FIRST_MS).unref()
  const timer = setInterval(run, EVERY_MS).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
