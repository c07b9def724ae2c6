import { ROWS_IN_A_CALL, TIMEOUT_MS } from '@watchdesk/contract/limits'
import { changeSources as endpoint, type SourcesChange, type SourcesChanged } from '@watchdesk/contract/sources'
import type { Actor } from '../../actor.ts'
import { retryOnDeadlock } from '../../db/deadlock.ts'
import { type Call, once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { createJob } from '../../jobs/create.ts'
import type { JobKind, RowsInput } from '../../jobs/kind.ts'
import type { OperationKind } from '../operations/kind.ts'
import { changeNow, checkCount, countMatching, detailsOf, NOTHING, wordsOf } from './change.ts'
import { changedRows } from './changed-sources.ts'
import { checkCountry } from './store.ts'
import { sourcesUndo } from './undo.ts'

type Input = RowsInput & { change: SourcesChange }

type Wanted = {
  body: SourcesChange
  key: string | undefined
  /** Waits until there is a place for a large transaction. */
  inSlot: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Changes or removes many sources in one transaction: that of the call, or of a job if they are very many. */
export async function changeMany(
  { rights, jobs }: Pick<Deps, 'rights' | 'jobs'>,
  actor: Actor,
  { body, key, inSlot }: Wanted,
): Promise<SourcesChanged> {
  checkCountry(body.country)
  const call: Call = { name: `${endpoint.method} ${endpoint.url}`, key, request: JSON.stringify(body) }
  const write = (work: (trx: Trx) => Promise<SourcesChanged>) =>
    retryOnDeadlock(() => rights.writeLong(actor, TIMEOUT_MS.undo, (trx) => once(trx, actor, call, () => work(trx))))

  if (body.expected_count <= ROWS_IN_A_CALL) {
    return inSlot(() =>
      write(async (trx) => {
        // Before they are locked: another number may be very many.
        checkCount(body, await countMatching(trx, body))
        return changeNow(trx, actor, body)
      }),
    )
  }
  const queued = await write((trx) => queue(trx, actor, body))
  jobs.wake()
  return queued
}

/** The number is checked here, so that the caller knows at once, and again by the job. */
async function queue(trx: Trx, actor: Actor, body: SourcesChange): Promise<SourcesChanged> {
  const { different } = checkCount(body, await countMatching(trx, body))
  if (different === 0) return NOTHING
  const name = wordsOf(body, different, { isDone: false })
  const made = await createJob<Input>(trx, actor, 'sources_change', {
    operation: { details: { ...detailsOf(body), summary: name } },
    input: { name, rows_count: different, change: body },
  })
  return { changed_count: different, ...made }
}

/** Changes very many sources in the background, with the same result as the call. */
const job: JobKind<Input> = {
  name: 'sources_change',
  what: 'change',
  entityOf: () => 'sources',
  async run({ actor, input, progress, save }) {
    progress({ step: 'storing', done: 0, total: input.rows_count })
    await save((trx) => changeNow(trx, actor, input.change, input.import_id))
  },
}

export const sourcesChange: OperationKind = {
  entity: 'sources',
  undo: sourcesUndo,
  job: () => job,
  changed: changedRows,
}
