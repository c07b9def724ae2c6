import type { Job } from '@watchdesk/contract/jobs'
import type { Operation } from '@watchdesk/contract/operations/operations'
import type { JobRow } from '../db/job-queue.ts'
import type { Db } from '../db/open.ts'
import type { JobInput, JobKind } from './kind.ts'

/** Jobs, without what only their runner needs. */
export function jobRows(db: Db) {
  return db
    .selectFrom('jobs')
    .leftJoin('operations', 'operations.job_id', 'jobs.id')
    .select([
      'jobs.id',
      'jobs.kind',
      'jobs.state',
      'jobs.input',
      'jobs.progress',
      'jobs.result',
      'jobs.error',
      'jobs.is_cancelled',
      'jobs.created_by',
      'jobs.created_by_name',
      'jobs.created_at',
      'jobs.started_at',
      'jobs.finished_at',
      'operations.verification',
    ])
}

type Row = Omit<JobRow, 'attempts' | 'leased_by' | 'leased_until' | 'ip'> & Pick<Operation, 'verification'>

export function jobOf(kinds: ReadonlyMap<string, JobKind>, row: Row): Job {
  const { input: _, progress, created_by_name, verification, result, kind, ...job } = row
  const input = inputOf(row)
  const field = kinds.get(kind)?.upload?.result
  return {
    ...{ sources: null, stories: null },
    // The verification is found after the job has ended.
    ...(field && { [field]: result && { ...result, verification } }),
    id: job.id,
    kind: kind as Job['kind'],
    state: job.state,
    name: nameOf(input),
    bytes: 'file' in input ? input.file.bytes : null,
    import_id: input.import_id,
    is_cancelled: job.is_cancelled,
    progress: job.finished_at ? null : { ...WAITING, ...progress },
    error: job.error,
    created_by: { id: job.created_by, name: created_by_name },
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
