import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { JobProgress } from '@watchdesk/contract/jobs'
import type { Actor } from '../actor.ts'
import {
  claimJob,
  endCancelledJob,
  failJob,
  isJobWaiting,
  type JobRow,
  renewJob,
  requeueJob,
} from '../db/job-leases.ts'
import { JobLost, requireOwner } from '../db/job-rights.ts'
import type { SystemDb } from '../db/open.ts'
import type { Rights } from '../db/rights.ts'
import { type KeptRows, keepFewRows } from '../modules/imports/rows.ts'
import { InvalidRows } from '../modules/stories-import/stage.ts'
import type { Semaphore } from '../semaphore.ts'
import { failureOf } from './failure.ts'
import { withJobFile } from './job-file.ts'
import { JOB_MS, type JobContext, type JobInput, type JobKind, type JobKinds, type JobName } from './kind.ts'

const POLL_MS = 1000
/** How often progress is saved, the lease renewed, and a cancellation noticed. */
const TICK_MS = 500

type Options = {
  db: SystemDb
  rights: Rights
  kinds: Partial<JobKinds>
  /** Limits the connections that jobs hold, together with calls of the same kind. */
  semaphore: Semaphore
  /** Of temporary files. */
  dir: string
}

type OnError = (error: unknown) => void

export type Jobs = ReturnType<typeof createJobs>

/**
 * Carries out queued jobs, one at a time. Each is held by a lease: when a process dies, the lease expires, and the next
 * server that polls starts the job again. Any number of servers may do this on one database.
 */
export function createJobs({ db, rights, kinds, semaphore, dir }: Options) {
  const me = randomUUID()
  const names = Object.keys(kinds)
  const stopping = new AbortController()
  let woken = new AbortController()
  let loop = Promise.resolve()

  return {
    start(onError: OnError) {
      loop = runLoop(onError)
    },
    /** A job has been queued: no need to wait for the next poll. */
    wake() {
      woken.abort()
    },
    /** Requeues the current job, for another server or the next start. */
    async stop() {
      stopping.abort()
      woken.abort()
      await loop
    },
  }

  async function runLoop(onError: OnError) {
    while (!stopping.signal.aborted) {
      woken = new AbortController()
      const isBusy = await runNext(onError).catch((error) => {
        if (!stopping.signal.aborted) onError(error)
        return false
      })
      if (!isBusy && !stopping.signal.aborted) await wait(POLL_MS, undefined, { signal: woken.signal }).catch(() => {})
    }
  }

  /** True when there may be more to do at once. */
  async function runNext(onError: OnError) {
    if (!(await isJobWaiting(db, me, names))) return false
    const release = await semaphore.acquire(stopping.signal)
    try {
      const job = await claimJob(db, me, names)
      return job ? await run(job, onError) : false
    } finally {
      release()
    }
  }

  async function run(job: JobRow, onError: OnError) {
    const aborting = new AbortController()
    const ended = new AbortController()
    const signal = AbortSignal.any([stopping.signal, aborting.signal])
    let now: JobProgress = { step: 'checking', done: 0, total: null }
    const watching = watch(job, () => now, aborting, ended.signal)
    try {
      await carryOut(job, {
        signal,
        progress(next) {
          now = next
        },
        async save(work) {
          const result = await rights.writeForJob(job, { milliseconds: JOB_MS, signal }, work)
          ended.abort()
          return result
        },
      })
      return true
    } catch (error) {
      return await handleFailure(job, error, { isCancelled: aborting.signal.aborted, onError })
    } finally {
      ended.abort()
      await watching
    }
  }

  async function carryOut(job: JobRow, control: Pick<JobContext<JobName>, 'signal' | 'progress' | 'save'>) {
    const kind = kinds[job.kind as JobName] as JobKind<JobName> | undefined
    if (!kind) throw new Error(`There is no job of the kind ${job.kind}`)
    const owner = await requireOwner(db, job.created_by)
    const actor: Actor = { ...owner, ...A_SUPER_ADMIN, ip: job.ip ?? '', ...NO_SESSION }
    const input = job.input as JobInput
    const { signal } = control
    await kind({
      actor,
      input,
      withFile: (work) => withJobFile(db, dir, { job_id: job.id, signal }, work),
      ...control,
    })
  }

  /** Saves the progress, and aborts the work if the job was cancelled or another server has it now. */
  async function watch(job: JobRow, progress: () => JobProgress, aborting: AbortController, ended: AbortSignal) {
    while (!ended.aborted) {
      // Without a connection, the work fails by itself.
      const held = await renewJob(db, job, progress()).catch(() => ({ is_cancelled: false }))
      if (!ended.aborted && (!held || held.is_cancelled)) aborting.abort(new JobLost())
      await wait(TICK_MS, undefined, { signal: ended }).catch(() => {})
    }
  }

  /** True when there may be more to do at once. */
  async function handleFailure(
    job: JobRow,
    error: unknown,
    { isCancelled, onError }: { isCancelled: boolean; onError: OnError },
  ) {
    if (isCancelled || error instanceof JobLost) {
      await endCancelledJob(db, job)
      return true
    }
    if (stopping.signal.aborted) {
      await requeueJob(db, job, { counts: false })
      return false
    }
    const { outcome, reason, isUnexpected } = failureOf(error, job)
    if (isUnexpected) onError(error)
    if (error instanceof InvalidRows) await keepInvalidRows(db, (job.input as JobInput).import_id, error.kept)
    if (outcome === 'failed') await failJob(db, job, reason)
    else await requeueJob(db, job, { counts: outcome === 'retried' })
    return outcome === 'failed'
  }
}

/** The rows that a file was refused for, so that they can be downloaded and corrected. */
function keepInvalidRows(db: SystemDb, import_id: number, kept: KeptRows) {
  return db.transaction().execute(async (trx) => {
    const rows_id = await keepFewRows(trx, kept)
    const counts = JSON.stringify(kept.counts)
    await trx.updateTable('imports').set({ rows_id, counts }).where('id', '=', import_id).execute()
  })
}

/** No session has this token, so a job cannot write with the rights of a call. */
const A_SUPER_ADMIN = { is_super_admin: true, is_auditor: false, is_read_only: false, credential: 'sessions' } as const
const NO_SESSION = {
  token_hash: Buffer.alloc(0),
  session_ends_at: new Date(0),
  proved_at: null,
  row_versions: '',
  isConfirmed: true,
}
