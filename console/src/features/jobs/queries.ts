import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/jobs'
import { call } from '../../api/call.ts'
import { type Progress, upload } from '../../api/upload.ts'
import { JOBS } from './shared/follow-job.ts'

const POLL_MS = 1_000

/** The person's own jobs. Polls while one is unfinished and the page is visible. */
export const jobsQuery = queryOptions({
  queryKey: JOBS,
  queryFn: async ({ signal }) => (await call(api.listJobs, { signal, signInAgain: false })).jobs,
  refetchInterval: ({ state: { data } }) => data?.some(isUnfinished) && POLL_MS,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  // Other backends do not have this call.
  retry: false,
})

export function isUnfinished({ state }: Pick<api.Job, 'state'>) {
  return state === 'queued' || state === 'running'
}

/** Shows a job from now on, as the server has just returned it. */
export function keepJob(client: QueryClient, job: api.Job) {
  client.setQueryData(jobsQuery.queryKey, (jobs: api.Job[] = []) => [job, ...jobs.filter(({ id }) => id !== job.id)])
}

type Options = { key: string; signal?: AbortSignal; onProgress: (progress: Progress) => void }

type Sources = { file: File; rows_count: number; skipped_count: number }

export function createSourceJob(body: Sources, { key, signal, onProgress }: Options) {
  const { file, rows_count, skipped_count } = body
  const counts = { rows_count: String(rows_count), skipped_count: String(skipped_count) }
  const input = { body: { ...counts, file }, headers: { 'idempotency-key': key } }
  return upload(api.createSourceJob, { ...input, ...(signal && { signal }) }, onProgress)
}

type Stories = { file: File; delete_existing_stories: boolean; rows_count: number | undefined }

export function createStoriesJob(
  { file, delete_existing_stories, rows_count }: Stories,
  { key, signal, onProgress }: Options,
) {
  const body = {
    delete_existing_stories: delete_existing_stories ? 'true' : 'false',
    ...(rows_count !== undefined && { rows_count: String(rows_count) }),
    file,
  } as const
  const input = { body, headers: { 'idempotency-key': key } }
  return upload(api.createStoriesJob, { ...input, ...(signal && { signal }) }, onProgress)
}

export function cancelJob(id: number) {
  return call(api.cancelJob, { params: { id } })
}
