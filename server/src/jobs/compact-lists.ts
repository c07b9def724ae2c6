import { compactLists } from '../db/compact-lists.ts'
import type { SystemDb } from '../db/open.ts'

const EVERY_MS = 2000

/** Keeps lists fast while their tables change. Safe to run on every replica at the same time. */
export function startCompacting(db: SystemDb, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout
  let isStopped = false
  let hasFailed = false
  const run = async () => {
    try {
      await compactLists(db)
      hasFailed = false
    } catch (error) {
      // Reported once per outage. Errors during shutdown are ignored: the next run, on any replica, catches up.
      if (!isStopped && !hasFailed) onError(error)
      hasFailed = true
    }
    if (!isStopped) timer = setTimeout(run, EVERY_MS).unref()
  }
  timer = setTimeout(run, 0).unref()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
