import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { BulkChanged } from '@watchdesk/contract/operations/changes'
import { type Actor, requireRecentSignIn } from '../../../actor.ts'
import { audit, changesBetween } from '../../../db/audit.ts'
import type { Call } from '../../../db/idempotency.ts'
import type { Trx } from '../../../db/open.ts'
import type { Deps } from '../../../deps.ts'
import type { Env } from '../../../env.ts'
import { createJob } from '../../../jobs/create.ts'
import type { RowsInput } from '../../../jobs/kind.ts'
import { conflict } from '../../../problem.ts'
import { manyRowsJob, writeOnce } from '../many-rows.ts'
import { beginOperation, endOperation } from '../record.ts'
import type { Lock } from '../retry.ts'
import { carryOut, type Progress } from './carry-out.ts'
import { type Counted, choose, judge, lockRecords, type Plan, planOf } from './judge.ts'
import { keepRows, outcomesOf } from './keep-rows.ts'
import {
  actionOf,
  type BulkAction,
  type BulkBody,
  type BulkKind,
  changesRecords,
  type Expected,
  number,
  wordsOf,
} from './kind.ts'
import { previewChange } from './preview.ts'

/** What to change, and what the caller saw in the preview. */
export type BulkRequest = { body: BulkBody; expected: Expected }

type Input = RowsInput & { change: BulkRequest }

type BulkCall = BulkRequest & {
  key: string | undefined
  /** Waits until there is a place for a large transaction. */
  inSlot: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Changes many records in one transaction: that of the call, or of a job if they are very many. */
export function changeMany(
  deps: Pick<Deps, 'env' | 'rights' | 'jobs'>,
  actor: Actor,
  kind: BulkKind,
  { body, expected, key, inSlot }: BulkCall,
): Promise<BulkChanged> {
  const { method, url } = kind.endpoints.change
  const call: Call = { name: `${method} ${url}`, key, request: JSON.stringify({ body, expected }) }
  return inSlot(() =>
    writeOnce(deps, actor, call, async (trx, lock) => {
      // Before they are locked: another number may be very many.
      const plan = await planOf(trx, actor, kind, body)
      const { counted, others } = await previewChange(trx, actor, kind, plan)
      checkCounts(kind, expected, body.action, counted)
      const { changed, refused: refused_count, fields, needsRecentSignIn } = counted
      if (changed === 0) return { ...NOTHING, refused_count }
      if (changed + others <= ROWS_IN_A_CALL)
        return changeNow(trx, actor, kind, expected, plan, { ...lock, env: deps.env })
      if (needsRecentSignIn) requireRecentSignIn(actor)
      const name = await wordsOf(trx, kind, ofFields(kind, body, fields), changed, false)
      const made = await createJob<Input>(trx, actor, kind.name, {
        operation: { details: { ...detailsOf(body), summary: name } },
        input: { name, rows_count: changed, change: { body, expected } },
      })
      return { changed_count: changed, refused_count, ...made }
    }),
  )
}

/** Changes very many records in the background, with the same result as the call. */
export function bulkChangeJob(kind: BulkKind, env: Pick<Env, 'SMTP_URL'>) {
  return manyRowsJob<Input>({ name: kind.name }, async (trx, actor, { change }, background) => {
    const plan = await planOf(trx, actor, kind, change.body)
    return changeNow(trx, actor, kind, change.expected, plan, { env, ...background })
  })
}

type Options = Lock & {
  env: Pick<Env, 'SMTP_URL'>
  /** The import, if a job carries it out. */
  existing_id?: number
  progress?: Progress
}

/** Changes many records, as an import that can be undone. */
async function changeNow(
  trx: Trx,
  actor: Actor,
  kind: BulkKind,
  expected: Expected,
  plan: Plan & { body: BulkBody },
  { env, existing_id, progress = () => {}, locksFirst }: Options,
): Promise<BulkChanged> {
  const { action, ids, body } = plan
  const areHeld = await actionOf(kind, action).lockBefore?.(trx, ids, body)
  await kind.check?.(trx, body)
  if (locksFirst || areHeld) await lockRecords(trx, kind, ids)
  const counted = await choose(trx, judge(trx, actor, kind, plan))
  checkCounts(kind, expected, action, counted)
  if (existing_id === undefined && counted.needsRecentSignIn) requireRecentSignIn(actor)
  const { changed: changed_count, refused: refused_count } = counted
  if (changed_count === 0 && existing_id === undefined) return { ...NOTHING, refused_count }

  const changing = ofFields(kind, body, counted.fields)
  const import_id = await beginOperation(trx, actor, { kind: kind.name, details: detailsOf(body) }, existing_id)
  const event_id = await audit(trx, actor, {
    action,
    entity: kind.entities.many,
    entity_id: import_id,
    changes: changesBetween({}, { changed_count, ...('set' in changing && changing.set) }),
  })
  await carryOut(trx, actor, kind, { env, action, operation_id: import_id, event_id, counted, progress })
  await endOperation(trx, import_id, {
    counts: outcomesOf(counted),
    rows_id: await keepRows(trx, kind, action, counted),
    details: { summary: await wordsOf(trx, kind, changing, changed_count, true) },
  })
  return { changed_count, refused_count, import_id, job_id: null }
}

const NOTHING: BulkChanged = { changed_count: 0, refused_count: 0, import_id: null, job_id: null }

/** What is to be done, as an import keeps it. */
function detailsOf({ ids, ...body }: BulkBody) {
  return { ...body, ...(ids && { ids: ids.length }) }
}

/** What is set of the fields that change in any record: the others had their values already, or are refused. */
function ofFields({ fieldOf }: BulkKind, body: BulkBody, fields: string[]): BulkBody {
  if (!('set' in body)) return body
  const isChanged = ([name]: [string, unknown]) => fields.includes(fieldOf?.[name] ?? name)
  return { ...body, set: Object.fromEntries(Object.entries(body.set ?? {}).filter(isChanged)) }
}

/** Throws if the caller saw other numbers. People sign in and out all the time, so those are not compared. */
function checkCounts({ entities: { one, many } }: BulkKind, expected: Expected, action: BulkAction, counted: Counted) {
  const { matching, changed, checksum } = counted
  const again = 'Check what will change and try again.'
  if (matching !== expected.expected_count) {
    const was = expected.expected_count.toLocaleString('en')
    const match = matching === 1 ? `${one} matches` : `${many} match`
    throw conflict(`${matching.toLocaleString('en')} ${match} now instead of ${was}. ${again}`)
  }
  if (!changesRecords(action)) return
  const { expected_changed_count, expected_checksum = checksum } = expected
  if (changed !== expected_changed_count) {
    const was = expected_changed_count.toLocaleString('en')
    throw conflict(`${number(changed, one, many)} would change now instead of ${was}. ${again}`)
  }
  if (checksum !== expected_checksum) throw conflict(`What would change is no longer what the preview showed. ${again}`)
}
