import { setTimeout as wait } from 'node:timers/promises'
import type { JobProgress } from '@watchdesk/contract/jobs'
import { databaseFailure } from '../db/errors.ts'
import {
  claim,
  end,
  endCancelled,
  type Held,
  LeaseLost,
  MAX_ATTEMPTS,
  type Queue,
  release,
  renew,
} from '../db/leases.ts'
import type { SystemDb } from '../db/open.ts'
import type { Semaphore } from '../semaphore.ts'

type OnError = (error: unknown) => void

export const UNEXPECTED = 'Something went wrong on the server. Its log has the details.'

export type Failure = {
  /** Whether the work has failed, is tried again as another attempt, or waits for the end of an outage. */
  outcome: 'failed' | 'retried' | 'postponed'
  /** Shown to users if it has failed. */
  reason: string
  /** Something that an operator should see. */
  isUnexpected: boolean
}

export type Control = {
  /** Aborted when the row was cancelled or lost, or the server stops. */
  signal: AbortSignal
  progress(now: JobProgress): void
  /** The row has ended, and what follows needs no lease. */
  stopRenewing(): void
}

type Work<Row> = {
  queue: Queue
  run(row: Row, control: Control): Promise<unknown>
  /** What becomes of a row whose work has thrown an error. Without this, it is tried again when its lease runs out. */
  failureOf?(error: unknown, row: Row): Failure
  /** The reason that is shown if the process ended during every attempt. */
  crashed?: string
  /** Limits the connections that rows hold, together with calls. */
  semaphore?: Semaphore
  /** Rows that are carried out at the same time, if the first ones take longer than a poll. */
  atOnce?: number
  /** Milliseconds between two polls, and between two renewals, and how long a stop waits before it aborts. */
  times?: { poll: number; renew: number; stop: number }
}

export type Runner = ReturnType<typeof createRunner>

/** Each row is held by a lease. It expires when a process dies, and the next server that polls starts the row again. */
export function createRunner<Row extends Held & { attempts?: number; is_cancelled?: boolean }>(
  db: SystemDb,
  { queue, run, failureOf, crashed, semaphore, atOnce = 1, times = { poll: 1000, renew: 5000, stop: 0 } }: Work<Row>,
) {
  const stopping = new AbortController()
  /** Some time later. */
  const aborting = new AbortController()
  let woken = new AbortController()
  let loop = Promise.resolve()
  let onError: OnError = () => {}
  let isOutage = false

  return {
    start(report: OnError) {
      onError = report
      loop = runLoop()
    },
    wake() {
      woken.abort()
    },
    /** Releases what is under way, for another server or the next start. */
    async stop() {
      stopping.abort()
      woken.abort()
      const timer = setTimeout(() => aborting.abort(), times.stop)
      await loop
      clearTimeout(timer)
    },
  }

  async function runLoop() {
    const running = new Set<Promise<void>>()
    let nextAt = 0
    while (!stopping.signal.aborted) {
      woken = new AbortController()
      const isFree = running.size === 0 || (running.size < atOnce && performance.now() >= nextAt)
      const next = isFree ? await claimNext() : undefined
      if (next) {
        nextAt = performance.now() + times.poll
        const ended = carryOut(next.row)
          .catch(reportOutage)
          .then((isMore) => {
            next.free()
            running.delete(ended)
            nextAt = 0
            if (isMore) woken.abort()
          })
        running.add(ended)
      }
      if (!stopping.signal.aborted) await wait(times.poll, undefined, { signal: woken.signal }).catch(() => {})
    }
    await Promise.all(running)
  }

  async function claimNext() {
    let free = () => {}
    try {
      if (semaphore) free = await semaphore.acquire({ signal: stopping.signal })
      const row = await claim<Row>(db, queue)
      isOutage = false
      if (row) return { row, free }
    } catch (error) {
      reportOutage(error)
    }
    free()
    return undefined
  }

  /** True when there may be more to do at once. */
  async function carryOut(row: Row) {
    const lost = new AbortController()
    const ended = new AbortController()
    let saved: JobProgress | undefined
    const renewing = renewUntilEnded()
    try {
      if (row.is_cancelled) throw new LeaseLost()
      if (crashed && (row.attempts ?? 0) > MAX_ATTEMPTS) await end(db, queue, row, 'failed', crashed)
      else {
        await run(row, {
          signal: AbortSignal.any([aborting.signal, lost.signal]),
          progress(now) {
            saved = now
          },
          stopRenewing: () => ended.abort(),
        })
      }
      return true
    } catch (error) {
      return await settle(row, error, lost.signal.aborted)
    } finally {
      ended.abort()
      await renewing
    }

    /** Also saves the progress, and aborts the work if the row was cancelled or another server has it now. */
    async function renewUntilEnded() {
      for (;;) {
        await wait(times.renew, undefined, { signal: ended.signal }).catch(() => {})
        if (ended.signal.aborted) return
        // Without a connection, the work fails by itself.
        const isOurs = await renew(db, queue, row, saved).catch(() => true)
        if (!isOurs && !ended.signal.aborted) lost.abort(new LeaseLost())
      }
    }
  }

  async function settle(row: Row, error: unknown, isLost: boolean) {
    if (isLost || error instanceof LeaseLost) {
      await save(() => endCancelled(db, queue, row))
      return true
    }
    if (aborting.signal.aborted) {
      await release(db, queue, row)
      return false
    }
    if (!failureOf) throw error
    const { outcome, reason, isUnexpected } = failureOf(error, row)
    if (isUnexpected) onError(error)
    await save(() =>
      outcome === 'failed'
        ? end(db, queue, row, 'failed', reason)
        : release(db, queue, row, outcome === 'retried' ? queue.retried : queue.postponed),
    )
    return outcome === 'failed'
  }

  /** Until the database is back: otherwise an outage would count as an attempt, or the work start again. */
  async function save(change: () => Promise<void>) {
    for (;;) {
      try {
        return await change()
      } catch (error) {
        if (!databaseFailure(error) || stopping.signal.aborted) throw error
        reportOutage(error)
      }
      await wait(times.poll, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Once, and not while the server stops: whatever comes next works again or fails in the same way. */
  function reportOutage(error: unknown) {
    if (!isOutage && !stopping.signal.aborted) onError(error)
    isOutage = true
    return false
  }
}
