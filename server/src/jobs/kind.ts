import type { Undo } from '@watchdesk/contract/imports'
import type { Job, JobProgress } from '@watchdesk/contract/jobs'
import type { SourcesChange } from '@watchdesk/contract/sources'
import type { Actor } from '../actor.ts'
import type { TableKind } from '../adapters/tables/tables.ts'
import type { Copy } from '../db/copy.ts'
import type { Trx } from '../db/open.ts'
import type { BulkRequest } from '../modules/bulk-changes/change.ts'
import type { UndoKind } from '../modules/imports/undo-kind.ts'

/** The maximum duration of a step of a job. */
export const JOB_MS = 30 * 60 * 1000

export type JobName = Job['kind']

type OfFile = {
  file: { name: string; kind: TableKind; bytes: number; sha256: string }
  /** As the caller counted them, for the progress. */
  rows_count?: number | undefined
}

type OfRows = {
  /** What its owner knows it by. */
  name: string
  rows_count: number
}

type Inputs = {
  source_import: OfFile
  stories_import: OfFile & { delete_existing_stories: boolean }
  sources_change: OfRows & { change: SourcesChange }
  users_change: OfRows & { change: BulkRequest }
  workspaces_change: OfRows & { change: BulkRequest }
  dashboards_change: OfRows & { change: BulkRequest }
  undo: OfRows & { undoes_id: number; changed: Undo['changed']; entity: UndoKind['entity'] }
}

/** What a job was given when it was created. */
export type JobInput<Name extends JobName = JobName> = { [Each in JobName]: Inputs[Each] & { import_id: number } }[Name]

/** The file of a job, and a path for another one; both are removed afterwards. */
export type JobFiles = { path: string; temporary: string }

export type JobContext<Name extends JobName> = {
  /** The owner, who has no session: only `save` can write for them. */
  actor: Actor
  /** Saves the effect of the job, which ends in the same transaction with the result. */
  save<Result>(work: (trx: Trx, copy: Copy) => Promise<Result>): Promise<Result>
  input: JobInput<Name>
  /** Reads the file of the job, if it has one. */
  withFile<Result>(work: (files: JobFiles) => Promise<Result>): Promise<Result>
  progress(now: JobProgress): void
  /** Aborted when the job was cancelled or lost, or the server stops. */
  signal: AbortSignal
}

/** Carries out a job of one kind. It must `save` everything at once: a job that was interrupted starts over. */
export type JobKind<Name extends JobName> = (context: JobContext<Name>) => Promise<unknown>

export type JobKinds = { [Name in JobName]: JobKind<Name> }
