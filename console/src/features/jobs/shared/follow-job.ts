import type { QueryClient } from '@tanstack/react-query'

export const JOBS = ['jobs']

/** Kept over a reload of the page, during which a job can end. */
const KEY = 'unfinished jobs'

/** The jobs that a message is shown for when they end. */
export function followedJobs() {
  return (sessionStorage.getItem(KEY) ?? '').split(',').filter(Boolean).map(Number)
}

export function setFollowedJobs(ids: number[]) {
  sessionStorage.setItem(KEY, ids.join())
}

/** Shows a message when the job ends, even if that is before the list of jobs is read again. */
export function followJob(client: QueryClient, id: number) {
  setFollowedJobs([...followedJobs(), id])
  return client.invalidateQueries({ queryKey: JOBS })
}
