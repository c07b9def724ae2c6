import type { Job } from '@watchdesk/contract/jobs'
import { JobResults } from '@watchdesk/contract/jobs.schema'
import type { Operation } from '@watchdesk/contract/operations/operations'
import type { JobRow } from '../db/job-queue.ts'
import type { Db } from '../db/open.ts'
import type { JobInput, JobKind } from './kind.ts'

const RESULTS = Object.keys(JobResults.shape)
const NO_RESULTS = Object.fromEntries(RESULTS.map((name) => [name, null])) as Record<keyof JobResults, null>

export function jobRows(db: Db) {
  return db
    .selectFrom('jobs')
    .leftJoin('operations', 'operations.job_id', 'jobs.id')
    .selectAll('jobs')
    .select('operations.verification')
}

type Row = JobRow & Pick<Operation, 'verification'>

export function jobOf(kinds: ReadonlyMap<string, JobKind>, job: Row): Job {
  const input = inputOf(job)
  const field = kinds.get(job.kind)?.upload?.result
  return {
    ...NO_RESULTS,
    // The verification is found after the job has ended.
    ...(field && { [field]: job.result && { ...job.result, verification: job.verification } }),
    id: job.id,
    kind: job.kind as Job['kind'],
    state: job.state,
    name: nameOf(input),
    bytes: 'file' in input ? input.file.bytes : null,
    import_id: input.import_id,
    is_cancelled: job.is_cancelled,
    progress: job.finished_at ? null : { ...WAITING, ...job.progress },
    error: job.error,
    created_by: { id: job.created_by, name: job.created_by_name },
    created_at: job.created_at.toISOString(),
    started_at: job.started_at?.toISOString() ?? null,
    finished_at: job.finished_at?.toISOString() ?? null,
  }
}

export function inputOf({ input }: Pick<Row, 'input'>) {
  return input as JobInput & { import_id: number }
}

export function nameOf(input: JobInput) {
  return 'file' in input ? input.file.name : input.name
}

const WAITING = { step: 'waiting', done: 0, total: null } as const
