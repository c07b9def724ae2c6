import type { JobProgress } from '@watchdesk/contract/jobs'
import type { Actor } from '../actor.ts'
import type { TableKind } from '../adapters/tables/tables.ts'
import type { Copy } from '../db/copy.ts'
import type { Trx } from '../db/open.ts'

/** The maximum duration of a step of a job. */
export const JOB_MS = 30 * 60 * 1000

/** What a job was given when it was created. */
export type JobInput = {
  file: { name: string; kind: TableKind; bytes: number; sha256: string }
  import_id: number
  /** As the caller counted them, for the progress. */
  rows_count?: number | undefined
  delete_existing_stories?: boolean
}

export type JobContext = {
  /** The owner, who has no session: only `save` can write for them. */
  actor: Actor
  /** Saves the effect of the job, which ends in the same transaction with the result. */
  save<Result>(work: (trx: Trx, copy: Copy) => Promise<Result>): Promise<Result>
  input: JobInput
  /** The file of the job, and a path for another one; both are removed afterwards. */
  file: { path: string; temporary: string }
  progress(now: JobProgress): void
  /** Aborted when the job was cancelled or lost, or the server stops. */
  signal: AbortSignal
}

/**
 * Carries out a job of one kind. It must `save` everything at once: a job that was interrupted starts over with its file.
 */
export type JobKind = (context: JobContext) => Promise<unknown>
