import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { BulkChanged } from '@watchdesk/contract/operations/changes'
import type { FastifyRequest } from 'fastify'
import { type Actor, requireRecentSignIn } from '../../../actor.ts'
import { audit, changesBetween } from '../../../db/audit.ts'
import type { Trx } from '../../../db/open.ts'
import type { Deps } from '../../../deps.ts'
import type { Env } from '../../../env.ts'
import { createJob } from '../../../jobs/create.ts'
import type { RowsInput } from '../../../jobs/kind.ts'
import { conflict } from '../../../problem.ts'
import { manyRowsJob, type Run, writeOnce } from '../many-rows.ts'
import { beginOperation, endOperation } from '../record.ts'
import { carryOut } from './carry-out.ts'
import { type Counted, choose, planOf } from './judge.ts'
import { keepRows, outcomesOf } from './keep-rows.ts'
import { type BulkBody, type BulkKind, changesRecords, type Expected, number, wordsOf } from './kind.ts'
import { previewChange } from './preview.ts'

/** What to change, and what the caller saw in the preview. */
type BulkRequest = { body: BulkBody; expected: Expected }

type Input = RowsInput & { change: BulkRequest }

/** Changes many records in one transaction: that of the call, or of a job if they are very many. */
export function changeMany(
  deps: Pick<Deps, 'env' | 'rights' | 'jobs'>,
  request: FastifyRequest,
  kind: BulkKind,
  change: BulkRequest,
): Promise<BulkChanged> {
  const { actor, slot } = request
  const { body } = change
  return slot.run(() =>
    writeOnce(deps, request, async (trx, run) => {
      // Before they are locked: another number may be very many.
      const { counted, others } = await previewChange(trx, actor, kind, body)
      checkCounts(kind, change, counted)
      const { changed, refused: refused_count, fields, needsRecentSignIn } = counted
      if (changed === 0) return { ...NOTHING, refused_count }
      if (changed + others <= ROWS_IN_A_CALL) return changeNow(trx, actor, kind, change, deps.env, run)
      if (needsRecentSignIn) requireRecentSignIn(actor)
      const name = await wordsOf(trx, kind, ofFields(kind, body, fields), changed, false)
      const made = await createJob<Input>(trx, actor, kind.name, {
        operation: { details: { ...detailsOf(body), summary: name } },
        input: { name, rows_count: changed, change },
      })
      return { changed_count: changed, refused_count, ...made }
    }),
  )
}

/** Changes very many records in the background, with the same result as the call. */
export function bulkChangeJob(kind: BulkKind, env: Pick<Env, 'SMTP_URL'>) {
  return manyRowsJob<Input>({ name: kind.name }, (trx, actor, { change }, run) =>
    changeNow(trx, actor, kind, change, env, run),
  )
}

/** Changes many records, as an import that can be undone. */
async function changeNow(
  trx: Trx,
  actor: Actor,
  kind: BulkKind,
  change: BulkRequest,
  env: Pick<Env, 'SMTP_URL'>,
  { existing_id, locksFirst, progress }: Run,
): Promise<BulkChanged> {
  const { body } = change
  const { action } = body
  const counted = await choose(trx, actor, kind, await planOf(trx, actor, kind, body), { locksFirst })
  checkCounts(kind, change, counted)
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
function checkCounts({ entities: { one, many } }: BulkKind, { body, expected }: BulkRequest, counted: Counted) {
  const { matching, changed, checksum } = counted
  const { expected_count, expected_changed_count, expected_checksum = checksum } = expected
  const isOther = (now: string, was: number) =>
    conflict(`${now} now instead of ${was.toLocaleString('en')}. Check what will change and try again.`)
  if (matching !== expected_count) throw isOther(number(matching, `${one} matches`, `${many} match`), expected_count)
  if (!changesRecords(body.action)) return
  if (changed !== expected_changed_count)
    throw isOther(`${number(changed, one, many)} would change`, expected_changed_count)
  if (checksum !== expected_checksum)
    throw conflict('What would change is no longer what the preview showed. Check what will change and try again.')
}
