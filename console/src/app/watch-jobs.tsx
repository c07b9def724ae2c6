import { lazy, Suspense } from 'react'
import { useHasJobs } from '../features/jobs/shared/use-has-jobs.ts'

/** Nothing depends on it, so it must not fail a page if it cannot be loaded. */
const JobWatcher = lazy(() =>
  import('../features/jobs/watcher.tsx').then(
    (module) => ({ default: module.JobWatcher }),
    () => ({ default: () => null }),
  ),
)

/** Loaded when the page has what it needs. */
export function WatchJobs() {
  if (!useHasJobs()) return null
  return (
    <Suspense>
      <JobWatcher />
    </Suspense>
  )
}
