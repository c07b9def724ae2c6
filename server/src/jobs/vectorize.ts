import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Embeddings } from '../adapters/embeddings/embeddings.ts'
import { EmbeddingsError } from '../adapters/embeddings/error.ts'
import { databaseFailure } from '../db/errors.ts'
import { asSystem, type SystemDb } from '../db/open.ts'
import { type RunRow, StaleRunError, vectorizeBatch } from '../modules/narratives-vectorization/batch.ts'

const POLL_MS = 1000
const LEASE_SECONDS = 15
const RENEW_MS = 5000
/** How often a run may start without progress, so that a story that crashes the process is not retried forever. */
const MAX_ATTEMPTS = 3
const RETRY_FOR_MS = 300_000

export type Vectorizing = ReturnType<typeof createVectorizing>

const LEASE_END = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

/**
 * Processes queued runs, one at a time. Each is held by a lease: when a process dies, the lease expires, and the next
 * server that polls resumes after the last committed batch. Any number of servers may do this on one database.
 */
export function createVectorizing(db: SystemDb, embeddings: Embeddings) {
  const me = randomUUID()
  const stopping = new AbortController()
  let woken = new AbortController()
  let loop = Promise.resolve()

  return {
    start(onError: (error: unknown) => void) {
      loop = runLoop(onError)
    },
    /** A run has been queued: no need to wait for the next poll. */
    wake() {
      woken.abort()
    },
    /** Requeues the current run, for another server or the next start. */
    async stop() {
      stopping.abort()
      woken.abort()
      await loop
    },
  }

  async function runLoop(onError: (error: unknown) => void) {
    while (!stopping.signal.aborted) {
      woken = new AbortController()
      const isBusy = await runNext(onError).catch((error) => {
        onError(error)
        return false
      })
      if (!isBusy && !stopping.signal.aborted) await wait(POLL_MS, undefined, { signal: woken.signal }).catch(() => {})
    }
  }

  /** True when there may be more to do at once. */
  async function runNext(onError: (error: unknown) => void) {
    const run = await claim(db, me)
    if (!run) return false
    const renewal = setInterval(() => void renew(db, run).catch(() => {}), RENEW_MS)
    try {
      await vectorize(run)
      return true
    } catch (error) {
      return await handleFailure(run, error, onError)
    } finally {
      clearInterval(renewal)
    }
  }

  async function vectorize(taken: RunRow) {
    let run = taken
    for (;;) {
      const options = { retryForMs: RETRY_FOR_MS, signal: stopping.signal }
      const batch = await vectorizeBatch(db, asSystem(db), embeddings, run, options)
      run = batch.run
      if (batch.is_finished) return await end(db, run, { status: 'success', error: null })
      if (stopping.signal.aborted) return await requeue(db, run)
      await renew(db, run)
    }
  }

  async function handleFailure(run: RunRow, error: unknown, onError: (error: unknown) => void) {
    if (error instanceof StaleRunError) return true
    if (stopping.signal.aborted || databaseFailure(error)) {
      await requeue(db, run)
      if (!stopping.signal.aborted) onError(error)
      return false
    }
    const isReportable = error instanceof EmbeddingsError
    if (!isReportable) onError(error)
    const reason = isReportable ? error.message : 'Something went wrong on the server. Its log has the details.'
    await end(db, run, { status: 'failed', error: reason })
    return true
  }
}

/** Claims the next run, or again one that this server dropped in an outage, which does not count as another attempt. */
async function claim(db: SystemDb, me: string): Promise<RunRow | undefined> {
  await failAbandoned(db, me)
  return db
    .updateTable('vectorization_runs')
    .set({
      status: 'running',
      attempts: sql`attempts + case when leased_by = ${me} then 0 else 1 end`,
      leased_by: me,
      leased_until: LEASE_END,
      started_at: sql`coalesce(started_at, now())`,
    })
    .where('id', '=', (query) =>
      query
        .selectFrom('vectorization_runs')
        .select('id')
        .where('runner', '=', 'server')
        .where('status', 'in', ['queued', 'running'])
        .where(sql<boolean>`(leased_until is null or leased_until < now() or leased_by = ${me})`)
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
}

async function failAbandoned(db: SystemDb, me: string) {
  const error = `The server stopped ${MAX_ATTEMPTS} times while vectorizing the same stories. Its log has the details.`
  await db
    .updateTable('vectorization_runs')
    .set({ status: 'failed', error, finished_at: sql`now()`, leased_by: null, leased_until: null })
    .where('runner', '=', 'server')
    .where('status', 'in', ['queued', 'running'])
    .where('leased_until', '<', sql<Date>`now()`)
    .where('leased_by', '!=', me)
    .where('attempts', '>=', MAX_ATTEMPTS)
    .execute()
}

/** A run as long as it is ours. */
function held(db: SystemDb, { id, leased_by }: RunRow) {
  return db.updateTable('vectorization_runs').where('id', '=', id).where('leased_by', '=', leased_by)
}

async function renew(db: SystemDb, run: RunRow) {
  await held(db, run).set({ leased_until: LEASE_END }).execute()
}

async function requeue(db: SystemDb, run: RunRow) {
  await held(db, run)
    .set({ status: 'queued', leased_by: null, leased_until: null, attempts: sql`greatest(attempts - 1, 0)` })
    .execute()
}

async function end(db: SystemDb, run: RunRow, outcome: { status: 'success' | 'failed'; error: string | null }) {
  await held(db, run)
    .set({ ...outcome, leased_by: null, leased_until: null, finished_at: sql`now()` })
    .execute()
}
