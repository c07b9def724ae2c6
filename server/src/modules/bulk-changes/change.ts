import type { BulkChanged } from '@watchdesk/contract/bulk-changes'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { conflict } from '../../problem.ts'
import { beginImport, endImport } from '../imports/record.ts'
import { carryOut, type Progress } from './carry-out.ts'
import { type Counted, choose, judged, type Lock, lockRecords } from './judge.ts'
import { keepRows, outcomesOf } from './keep-rows.ts'
import { type BulkBody, type BulkKind, type Expected, number } from './kind.ts'
import { CHOSEN, checkDanger } from './recent-sign-in.ts'

type Options = Lock & {
  env: Pick<Env, 'SMTP_URL'>
  /** The import, if a job carries it out. */
  existing_id?: number
  progress?: Progress
}

/** What to change, and what the caller saw in the preview. */
export type Wanted = { body: BulkBody; expected: Expected }

/** Changes many records, as an import that can be undone. */
export async function changeNow(
  trx: Trx,
  actor: Actor,
  kind: BulkKind,
  { body, expected }: Wanted,
  { env, existing_id, progress = () => {}, locksFirst }: Options,
): Promise<BulkChanged> {
  const { action } = body
  const ids = sql`select id from ${sql.table(kind.table)} where ${kind.matches(actor, body)}`
  const areHeld = await kind.lockBefore?.(trx, action, ids, body)
  await kind.check(trx, body)
  if (locksFirst || areHeld) await lockRecords(trx, kind, ids)
  const counted = await choose(trx, judged(kind, actor, body))
  checkCounts(kind, expected, action, counted)
  if (existing_id === undefined) await checkDanger(trx, actor, kind, action, CHOSEN)
  const { changed: changed_count, refused: refused_count } = counted
  if (changed_count === 0 && existing_id === undefined) return { ...NOTHING, refused_count }

  const changing = ofFields(body, counted.fields)
  const import_id = await beginImport(trx, actor, { kind: kind.name, details: detailsOf(body) }, existing_id)
  const event_id = await audit(trx, actor, {
    action,
    entity: kind.entities.many,
    entity_id: import_id,
    changes: { ...changesBetween({}, { changed_count }), ...settingOf(changing) },
  })
  await carryOut(trx, actor, kind, { env, action, event_id, counted, progress })
  await endImport(trx, import_id, {
    counts: outcomesOf(counted),
    rows_id: await keepRows(trx, kind, action, counted),
    details: { event_id, summary: await kind.words(trx, changing, changed_count, true) },
  })
  return { changed_count, refused_count, import_id, job_id: null }
}

export const NOTHING: BulkChanged = { changed_count: 0, refused_count: 0, import_id: null, job_id: null }

/** What is to be done, as an import keeps it. */
export function detailsOf({ ids, ...body }: BulkBody) {
  return { ...body, ...(ids && { ids: ids.length }) }
}

/** What is set of the fields that change in any record: the others had their values already, or are refused. */
export function ofFields(body: BulkBody, fields: string[]): BulkBody {
  if (!('set' in body)) return body
  const isChanged = ([name]: [string, unknown]) =>
    fields.includes(name === 'extend_trial_days' ? 'trial_end_date' : name)
  return { ...body, set: Object.fromEntries(Object.entries(body.set ?? {}).filter(isChanged)) }
}

/** The new values in the event of the whole change. Also null: on both sides, it would count as no change. */
function settingOf(body: BulkBody) {
  const set = 'set' in body ? (body.set ?? {}) : {}
  return Object.fromEntries(Object.entries(set).map(([field, after]) => [field, { before: null, after }]))
}

/** Throws if the caller saw other numbers. People sign in and out all the time, so those are not compared. */
export function checkCounts(
  { entities: { one, many } }: BulkKind,
  expected: Expected,
  action: string,
  counted: Pick<Counted, 'matching' | 'changed' | 'checksum'>,
) {
  const { matching, changed, checksum } = counted
  const again = 'Check what will change and try again.'
  if (matching !== expected.expected_count) {
    const was = expected.expected_count.toLocaleString('en')
    const match = matching === 1 ? `${one} matches` : `${many} match`
    throw conflict(`${matching.toLocaleString('en')} ${match} now instead of ${was}. ${again}`)
  }
  if (action === 'end_sessions' || action === 'unlock') return
  const { expected_changed_count, expected_checksum = checksum } = expected
  if (changed !== expected_changed_count) {
    const was = expected_changed_count.toLocaleString('en')
    throw conflict(`${number(changed, one, many)} would change now instead of ${was}. ${again}`)
  }
  if (checksum !== expected_checksum) throw conflict(`What would change is no longer what the preview showed. ${again}`)
}
