import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { Actor } from '../../actor.ts'
import { retryOnDeadlock } from '../../db/deadlock.ts'
import { type Call, once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import type { JobContext, JobKind, RowsInput } from '../../jobs/kind.ts'
import { type Lock, retryOnChange } from './retry.ts'

/** Changes many rows in the transaction of a call, or queues a job that does. A repeated call gets the same response. */
export async function writeOnce<Result extends object>(
  { rights, jobs }: Pick<Deps, 'rights' | 'jobs'>,
  actor: Actor,
  call: Call,
  work: (trx: Trx, lock: Lock) => Promise<Result>,
): Promise<Result> {
  const done = await retryOnChange((lock) =>
    retryOnDeadlock(() =>
      rights.writeLong(actor, TIMEOUT_MS.undo, (trx) => once(trx, actor, call, () => work(trx, lock))),
    ),
  )
  if ('job_id' in done && done.job_id !== null) jobs.wake()
  return done
}

export type InBackground = Lock & { existing_id: number; progress: (done: number) => void }

/** A job that changes very many rows, with the same result as the call. */
export function manyRowsJob<Input extends RowsInput>(
  kind: Omit<JobKind<Input>, 'run'>,
  work: (trx: Trx, actor: Actor, input: JobContext<Input>['input'], options: InBackground) => Promise<unknown>,
): JobKind<Input> {
  return {
    ...kind,
    async run({ actor, input, progress: report, save }) {
      const { rows_count: total, import_id: existing_id } = input
      const progress = (done: number) => report({ step: 'storing', done, total })
      progress(0)
      await retryOnChange((lock) => save((trx) => work(trx, actor, input, { ...lock, existing_id, progress })))
    },
  }
}
