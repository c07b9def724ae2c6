import type { AuditEntity } from '@watchdesk/contract/activity'
import type { Endpoint, EndpointSchema } from '@watchdesk/contract/endpoint'
import type { Job, JobProgress, JobResults } from '@watchdesk/contract/jobs'
import type { Actor } from '../actor.ts'
import type { TableKind } from '../adapters/tables/tables.ts'
import type { Copy } from '../db/copy.ts'
import type { Trx } from '../db/open.ts'

/** The maximum duration of a step of a job. */
export const JOB_MS = 30 * 60 * 1000

export type FileInput = {
  file: { name: string; kind: TableKind; bytes: number; sha256: string }
  /** As the caller counted them, for the progress. */
  rows_count?: number | undefined
}

export type RowsInput = {
  /** What its owner knows it by. */
  name: string
  rows_count: number
}

export type JobInput = FileInput | RowsInput

export type JobContext<Input> = {
  /** The owner, who has no session: only `save` can write for them. */
  actor: Actor
  /** Saves the effect of the job, which ends in the same transaction with the result. */
  save<Result>(work: (trx: Trx, copy: Copy) => Promise<Result>): Promise<Result>
  input: Input & { import_id: number }
  withFile<Result>(work: (path: string) => Promise<Result>): Promise<Result>
  progress(now: JobProgress): void
  signal: AbortSignal
}

export type JobKind<Input extends JobInput = JobInput> = {
  name: Job['kind']
  /** What the event of its cancellation is about, if that depends on what it does. */
  entityOf?(input: Input): AuditEntity
  upload?: {
    endpoint: Endpoint & { schema: EndpointSchema }
    inputOf?(fields: Record<string, string>): Partial<Input>
    result: keyof JobResults
  }
  /** It must `save` everything at once: a job that was interrupted starts over. */
  run(context: JobContext<Input>): Promise<unknown>
}
