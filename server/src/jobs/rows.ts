import type { Job, JobKind } from '@watchdesk/contract/jobs'
import type { Operation } from '@watchdesk/contract/operations/operations'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import type { StoriesImportResult } from '@watchdesk/contract/stories-import'
import type { JobRow } from '../db/job-leases.ts'
import type { Db } from '../db/open.ts'
import type { JobInput } from './kind.ts'

/** Jobs, without what only their runner needs. */
export function jobRows(db: Db) {
  return db
    .selectFrom('jobs')
    .leftJoin('imports', 'imports.job_id', 'jobs.id')
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
      'imports.verification',
    ])
}

type Row = Omit<JobRow, 'attempts' | 'leased_by' | 'leased_until' | 'ip'> & Pick<Operation, 'verification'>

export function jobOf({ input, progress, created_by_name, ...job }: Row): Job {
  const given = input as JobInput & { import_id: number }
  const { name, bytes } = 'file' in given ? given.file : { name: given.name, bytes: null }
  const kind = job.kind as JobKind
  // Found after the job has ended.
  const result = job.result && { ...job.result, verification: job.verification }
  return {
    id: job.id,
    kind,
    state: job.state,
    name,
    bytes,
    import_id: given.import_id,
    is_cancelled: job.is_cancelled,
    progress: job.finished_at ? null : { ...WAITING, ...progress },
    error: job.error,
    sources: kind === 'source_import' ? (result as SourceImportResult | null) : null,
    stories: kind === 'stories_import' ? (result as StoriesImportResult | null) : null,
    created_by: { id: job.created_by, name: created_by_name },
    created_at: job.created_at.toISOString(),
    started_at: job.started_at?.toISOString() ?? null,
    finished_at: job.finished_at?.toISOString() ?? null,
  }
}

const WAITING = { step: 'waiting', done: 0, total: null } as const
