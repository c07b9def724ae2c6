import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toastError } from '../../ui/feedback/toast.tsx'
import { refreshChanged } from '../operations/shared/refresh.ts'
import { isUnfinished, jobsQuery } from './queries.ts'
import { followedJobs, setFollowedJobs } from './shared/follow-job.ts'
import { isShown } from './shared/shown-jobs.ts'

/** Shows a message when a job ends, wherever the person is. */
export function JobWatcher() {
  const client = useQueryClient()
  const { data: jobs } = useQuery(jobsQuery)
  useEffect(() => {
    if (!jobs) return
    const followed = followedJobs()
    for (const job of jobs.filter(({ id, state }) => followed.includes(id) && !isUnfinished({ state }))) {
      void refreshChanged(client)
      // Most pages see no job end.
      if (!isShown(job.id)) import('./announce.ts').then(({ announce }) => announce(client, job)).catch(toastError)
    }
    const newest = Math.max(0, ...jobs.map(({ id }) => id))
    // A list that was requested before a job began does not have it.
    const begun = followed.filter((id) => id > newest)
    setFollowedJobs([...jobs.filter(isUnfinished).map(({ id }) => id), ...begun])
  }, [jobs, client])
  return null
}
