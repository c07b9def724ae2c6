import { sql } from 'kysely'
import type { SystemDb } from '../db/open.ts'
import type { Env } from '../env.ts'
import { endTrials } from './end-trials.ts'
import { renewQuotas } from './renew-quotas.ts'

const EVERY_MS = 60_000

type Settings = Pick<Env, 'TRIAL_END' | 'QUOTA_RENEWAL'>
type Log = { info(message: string): void; warn(message: string): void }

/** Today in UTC, such as 2026-11-17. By the clock of the database, which is the same for all servers. */
export async function readToday(db: SystemDb) {
  const { rows } = await sql<{ today: string }>`select (now() at time zone 'UTC')::date::text as today`.execute(db)
  return rows[0]?.today ?? ''
}

/** What happens to workspaces by itself: quotas are renewed, and trials end. */
export function createLifeCycle(db: SystemDb, env: Settings, log: Log, clock: typeof readToday = readToday) {
  const reported = new Set<number>()

  return async function run() {
    const today = await clock(db)
    if (env.QUOTA_RENEWAL === 'monthly') {
      const renewed = await renewQuotas(db, today)
      if (renewed > 0) log.info(`Renewed quotas of ${renewed} workspaces`)
    }
    if (env.TRIAL_END === 'deactivate') {
      const { deactivated, kept } = await endTrials(db, today)
      if (deactivated.length > 0) log.info(`Deactivated ${deactivated.length} workspaces whose trial has ended`)
      for (const { id, name } of kept) {
        // Once, not every minute.
        if (!reported.has(id))
          log.warn(`The trial of ${name} has ended. It stays active: it has the last super admin who can sign in`)
        reported.add(id)
      }
    }
  }
}

/** At the start and every minute. Safe to run on every replica at the same time. */
export function startLifeCycle(run: () => Promise<void>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout
  let isStopped = false
  let hasFailed = false
  const runAgain = async () => {
    try {
      await run()
      hasFailed = false
    } catch (error) {
      // Reported once per outage. Errors during shutdown are ignored: the next run, on any replica, catches up.
      if (!isStopped && !hasFailed) onError(error)
      hasFailed = true
    }
    if (!isStopped) timer = setTimeout(runAgain, EVERY_MS).unref()
  }
  timer = setTimeout(runAgain, 0).unref()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
