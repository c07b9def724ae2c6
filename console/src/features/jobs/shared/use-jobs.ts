import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Job, JobKind } from '@watchdesk/contract/jobs'
import { useEffect, useState } from 'react'
import { isUnfinished, jobsQuery, keepJob } from '../queries.ts'
import { useHasJobs } from './use-has-jobs.ts'

/**
 * The jobs of one kind that a page shows: those that are unfinished, also after a reload, and those that have ended since
 * the page was opened.
 */
export function useJobs(kind: JobKind) {
  const client = useQueryClient()
  const { data = [] } = useQuery({ ...jobsQuery, enabled: useHasJobs() })
  const [seen, setSeen] = useState<number[]>([])
  const jobs = data.filter((job) => job.kind === kind && (isUnfinished(job) || seen.includes(job.id)))
  const unfinished = jobs.filter(isUnfinished).map(({ id }) => id)
  const added = unfinished.filter((id) => !seen.includes(id)).join()
  useEffect(() => {
    if (added !== '') setSeen((before) => [...before, ...added.split(',').map(Number)])
  }, [added])

  return {
    jobs,
    add: (job: Job) => keepJob(client, job),
    /** Hides those that have ended. */
    clear: () => setSeen(unfinished),
  }
}
