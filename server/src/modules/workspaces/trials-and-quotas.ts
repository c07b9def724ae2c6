import { readToday } from '../../db/days.ts'
import type { SystemDb } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { renewQuotas } from './renew-quotas.ts'
import { endTrials } from './trials.ts'

type Settings = Pick<Env, 'TRIAL_END' | 'QUOTA_RENEWAL'>
type Log = { info(message: string): void; warn(message: string): void }

export function createTrialsAndQuotasTask(db: SystemDb, env: Settings, log: Log) {
  const reported = new Set<number>()

  return async () => {
    const today = await readToday(db)
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
