import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../actor.ts'
import { retryOnDeadlock } from '../../db/deadlock.ts'
import { isUniqueViolation } from '../../db/entity.ts'
import { once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import type { JobContext, JobKind, RowsInput } from '../../jobs/kind.ts'
import { conflict } from '../../problem.ts'

export type Run = {
  /** Records are locked before they are evaluated if others have changed them while an earlier attempt was at work. */
  locksFirst: boolean
  progress(done: number): void
  /** The operation, if a job carries it out: it was created, and allowed, when the job was queued. */
  existing_id?: number
}

/** Changes many rows in the transaction of a call, or queues a job that does. A repeated call gets the same response. */
export async function writeOnce<Result extends object>(
  { rights, jobs }: Pick<Deps, 'rights' | 'jobs'>,
  { actor, method, url, headers, body }: FastifyRequest,
  work: (trx: Trx, run: Run) => Promise<Result>,
): Promise<Result> {
  const [path] = url.split('?')
  const key = headers['idempotency-key']?.toString()
  const call = { name: `${method} ${path}`, key, request: JSON.stringify(body) }
  const done = await retryOnChange((locksFirst) =>
    retryOnDeadlock(() =>
      rights.writeLong(actor, TIMEOUT_MS.undo, (trx) =>
        once(trx, actor, call, () => work(trx, { locksFirst, progress: () => {} })),
      ),
    ),
  )
  if ('job_id' in done && done.job_id !== null) jobs.wake()
  return done
}

export function manyRowsJob<Input extends RowsInput>(
  kind: Omit<JobKind<Input>, 'run'>,
  work: (trx: Trx, actor: Actor, input: JobContext<Input>['input'], run: Run) => Promise<unknown>,
): JobKind<Input> {
  return {
    ...kind,
    async run({ actor, input, progress: report, save }) {
      const { rows_count: total, import_id: existing_id } = input
      const progress = (done: number) => report({ step: 'storing', done, total })
      progress(0)
      await retryOnChange((locksFirst) => save((trx) => work(trx, actor, input, { locksFirst, progress, existing_id })))
    },
  }
}

/** Somebody has changed a record since it was chosen: the transaction starts over, and locks the records first. */
export class ChangedMeanwhile extends Error {}

/** For the update of a user: somebody else got the email of one who is being restored. */
export function asChanged(error: unknown): never {
  throw isUniqueViolation(error, 'users_by_email') ? new ChangedMeanwhile() : error
}

async function retryOnChange<Result>(attempt: (locksFirst: boolean) => Promise<Result>) {
  for (const locksFirst of [false, true]) {
    try {
      return await attempt(locksFirst)
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error
    }
  }
  throw conflict(OTHERS)
}

const OTHERS = 'Others changed the same records at the same time. Check what will change and try again.'
