import type { BulkChanged } from '@watchdesk/contract/bulk-changes'
import type { Endpoint } from '@watchdesk/contract/endpoint'
import { ROWS_IN_A_CALL, TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { Actor } from '../../actor.ts'
import { retryOnDeadlock } from '../../db/deadlock.ts'
import { type Call, once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import type { Env } from '../../env.ts'
import type { JobKind } from '../../jobs/kind.ts'
import { createJob } from '../jobs/create.ts'
import { changeNow, checkCounts, detailsOf, NOTHING, ofFields, type Wanted } from './change.ts'
import { judged } from './judge.ts'
import type { BulkKind, BulkName } from './kind.ts'
import { previewChange } from './preview.ts'
import { changing, checkDanger } from './recent-sign-in.ts'
import { retryOnChange } from './retry.ts'

type Request = Wanted & {
  endpoint: Endpoint
  key: string | undefined
  /** Waits until there is a place for a large transaction. */
  inSlot: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Changes many records in one transaction: that of the call, or of a job if they are very many. */
export async function changeMany(
  { env, rights, jobs }: Pick<Deps, 'env' | 'rights' | 'jobs'>,
  actor: Actor,
  kind: BulkKind,
  { body, expected, endpoint, key, inSlot }: Request,
): Promise<BulkChanged> {
  const request = JSON.stringify({ body, expected })
  const call: Call = { name: `${endpoint.method} ${endpoint.url}`, key, request }
  const write = (work: (trx: Trx) => Promise<BulkChanged>) =>
    retryOnDeadlock(() => rights.writeLong(actor, TIMEOUT_MS.undo, (trx) => once(trx, actor, call, () => work(trx))))

  return inSlot(async () => {
    const done = await retryOnChange((lock) =>
      write(async (trx) => {
        // Before they are locked: another number may be very many.
        const { preview, facts } = await previewChange(trx, actor, kind, body)
        const { count: matching, changed_count: changed, refused_count, checksum, changed_fields } = preview
        checkCounts(kind, expected, body.action, { matching, changed, checksum })
        if (changed === 0) return { ...NOTHING, refused_count }
        const rows_count = changed + (facts.others ?? 0)
        if (rows_count <= ROWS_IN_A_CALL) return changeNow(trx, actor, kind, { body, expected }, { ...lock, env })
        await checkDanger(trx, actor, kind, body.action, changing(judged(kind, actor, body)))
        const name = await kind.words(trx, ofFields(body, changed_fields), changed, false)
        const made = await createJob(trx, actor, kind.name, {
          import: { details: { ...detailsOf(body), summary: name } },
          input: { name, rows_count: changed, change: { body, expected } },
        })
        return { changed_count: changed, refused_count, ...made }
      }),
    )
    if (done.job_id !== null) jobs.wake()
    return done
  })
}

/** Changes very many records in the background, with the same result as the call. */
export function bulkChangeJob<Name extends BulkName>(kind: BulkKind<Name>, env: Pick<Env, 'SMTP_URL'>): JobKind<Name> {
  return async ({ actor, input, progress, save }) => {
    const { rows_count: total, import_id: existing_id } = input
    const report = (done: number) => progress({ step: 'storing', done, total })
    report(0)
    await retryOnChange((lock) =>
      save((trx) => changeNow(trx, actor, kind, input.change, { ...lock, env, existing_id, progress: report })),
    )
  }
}
