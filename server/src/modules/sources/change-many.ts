import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import { changeSources as endpoint, type SourcesChange, type SourcesChanged } from '@watchdesk/contract/sources'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { createJob } from '../../jobs/create.ts'
import type { RowsInput } from '../../jobs/kind.ts'
import type { OperationKind } from '../operations/kind.ts'
import { manyRowsJob, writeOnce } from '../operations/many-rows.ts'
import { changeNow, checkCount, countMatching, detailsOf, NOTHING, wordsOf } from './change.ts'
import { changedRows } from './changed-sources.ts'
import { checkCountry } from './store.ts'
import { sourcesUndo } from './undo.ts'

type Input = RowsInput & { change: SourcesChange }

type Asked = {
  body: SourcesChange
  key: string | undefined
  /** Waits until there is a place for a large transaction. */
  inSlot: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Changes or removes many sources in one transaction: that of the call, or of a job if they are very many. */
export function changeMany(
  deps: Pick<Deps, 'rights' | 'jobs'>,
  actor: Actor,
  { body, key, inSlot }: Asked,
): Promise<SourcesChanged> {
  checkCountry(body.country)
  const isForCall = body.expected_count <= ROWS_IN_A_CALL
  const call = { name: `${endpoint.method} ${endpoint.url}`, key, request: JSON.stringify(body) }
  const change = () =>
    writeOnce(deps, actor, call, async (trx) => {
      // Before they are locked: another number may be very many. A job checks it again.
      const { different } = checkCount(body, await countMatching(trx, body))
      if (isForCall) return changeNow(trx, actor, body)
      if (different === 0) return NOTHING
      const name = wordsOf(body, different, { isDone: false })
      const made = await createJob<Input>(trx, actor, 'sources_change', {
        operation: { details: { ...detailsOf(body), summary: name } },
        input: { name, rows_count: different, change: body },
      })
      return { changed_count: different, ...made }
    })
  return isForCall ? inSlot(change) : change()
}

export const sourcesChange: OperationKind = {
  undo: sourcesUndo,
  job: () =>
    manyRowsJob<Input>({ name: 'sources_change' }, (trx, actor, { change }, { existing_id }) =>
      changeNow(trx, actor, change, existing_id),
    ),
  changed: changedRows,
}
