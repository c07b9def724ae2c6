import { compactLists } from './db/list-totals.ts'
import type { ServerDeps } from './deps.ts'
import { followAirflow } from './modules/narratives-vectorization/follow-airflow.ts'
import { purgeOperations } from './modules/operations/purge.ts'
import { verifyOperations } from './modules/operations/verify.ts'
import { recordTotals } from './modules/overview/daily-totals.ts'
import { purgeRowSets, purgeSheets } from './modules/sheets/purge.ts'
import { purgeStories } from './modules/stories-import/purge.ts'
import { createTrialsAndQuotasTask } from './modules/workspaces/trials-and-quotas.ts'
import { clearUploads, uploadsDir } from './plugins/upload-files.ts'
import { purge, purgeEvents } from './purge.ts'
import type { Task } from './scheduler.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** The first time early, for servers that restart more often than once an hour. */
const HOURLY = { everyMs: 60 * MINUTE, firstMs: MINUTE }

/** Every replica runs all of them, so they must be safe to run at the same time, and the next run catches up. */
export function scheduledTasks({ db, env, log, airflow, verify }: ServerDeps): Task[] {
  return [
    // Keeps lists fast while their tables change.
    { name: 'compact lists', everyMs: 2 * SECOND, run: () => compactLists(db) },
    // Often, because a server that was just killed may take a moment to exit.
    { name: 'clear uploads', everyMs: 2 * SECOND, run: () => clearUploads(uploadsDir(env.DATA_DIR), 'afterwards') },
    { name: 'follow Airflow', everyMs: 10 * SECOND, run: () => followAirflow(db, airflow) },
    { name: 'renew quotas and end trials', everyMs: MINUTE, run: createTrialsAndQuotasTask(db, env, log) },
    // Often, so that the last count of a day is close to its end.
    { name: 'count totals', everyMs: 5 * MINUTE, run: () => recordTotals(db) },
    { name: 'verify imports', ...HOURLY, run: () => verifyOperations(db, verify) },
    { name: 'purge', ...HOURLY, run: () => purge(db, env) },
    { name: 'purge sheets', ...HOURLY, run: () => purgeSheets(db, env) },
    {
      name: 'purge imports',
      ...HOURLY,
      async run() {
        await purgeOperations(db, env.SHEETS_KEEP_DAYS)
        await purgeRowSets(db)
      },
    },
    { name: 'purge stories', ...HOURLY, run: () => purgeStories(db) },
    { name: 'purge events', ...HOURLY, run: () => purgeEvents(db, env.AUDIT_KEEP_DAYS) },
  ]
}
