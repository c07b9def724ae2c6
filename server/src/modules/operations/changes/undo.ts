import { isDeepStrictEqual } from 'node:util'
import { CHANGED_ROWS_LISTED } from '@watchdesk/contract/limits'
import { OPERATION_KINDS } from '@watchdesk/contract/operations/kinds'
import type { Undo, UndoPreview } from '@watchdesk/contract/operations/operations'
import { sql } from 'kysely'
import { type Actor, requireRecentSignIn } from '../../../actor.ts'
import type { Db } from '../../../db/open.ts'
import { type Chain, NO_EFFECTS, type OperationRow, savedChanges, type UndoKind } from '../kind.ts'
import { carryOut } from './carry-out.ts'
import { choose, type Evaluated, evaluate, idsOf, outcomeOf, type Plan } from './evaluate.ts'
import type { BulkAction, BulkKind, Fields } from './kind.ts'

type Effect = Exclude<Changed['effect'], 'nothing'>
type Changed = UndoPreview['changed'][number]

const EFFECTS: Partial<Record<BulkAction, string>> = { update: 'put_back', delete: 'deleted', restore: 'restored' }

/** Fields are put back if they still have the values that the change gave them; other records must be of the same version. */
export function bulkUndo(kind: BulkKind): UndoKind {
  return {
    entity: kind.entities.many,
    changes: (target) => kind.countedChanges?.(savedChanges(target)) ?? savedChanges(target),
    async check(trx, actor, chain, changed) {
      const isAsked = isChosen(changed)
      for await (const evaluated of evaluate(trx, actor, kind, await planBack(trx, kind, chain))) {
        const isChanged = isAsked(evaluated) && outcomeOf(evaluated) === 'changed'
        if (isChanged && evaluated.needsRecentSignIn) requireRecentSignIn(actor)
      }
    },
    preview: (db, actor, chain) => preview(db, actor, kind, chain),
    async undo(trx, actor, { chain, operation_id, changed, env, locksFirst, progress, existing_id }) {
      const plan = { ...(await planBack(trx, kind, chain)), isChosen: isChosen(changed) }
      const { action } = plan
      const counted = await choose(trx, actor, kind, plan, locksFirst)
      if (existing_id === undefined && counted.needsRecentSignIn) requireRecentSignIn(actor)
      return {
        ...NO_EFFECTS,
        [effectOf(kind, action)]: counted.changed_count,
        left: plan.ids.length - counted.changed_count,
        afterEvent: (event_id) =>
          carryOut(trx, actor, kind, { env, action, operation_id, event_id, counted, progress }),
      }
    },
  }
}

function isChosen(changed: Undo['changed']) {
  if (changed === 'all') return () => true
  const ids = new Set<number>(changed === 'leave' ? [] : changed)
  return ({ isUnchanged, row }: Evaluated) => isUnchanged || ids.has(row.id)
}

function effectOf({ entities }: BulkKind, action: BulkAction) {
  return `${entities.many}_${EFFECTS[action]}` as Effect
}

const OPPOSITES = { delete: 'restore', restore: 'delete', update: 'update' } as const

/** What the operation did. Records that an import added are deleted, and then restored, as if it had restored them. */
function doneBy({ kind, details }: OperationRow) {
  if (OPERATION_KINDS[kind].what === 'import') return 'restore'
  return details.action === 'delete' ? 'delete' : 'update'
}

async function planBack(db: Db, kind: BulkKind, { first, target }: Chain): Promise<Plan> {
  const action = first.is_undone ? doneBy(first) : OPPOSITES[doneBy(first)]
  const done = sql`(${savedChanges(target)}) as done`
  return {
    action,
    ids: await idsOf(db, sql`select id from ${done} order by id`),
    kept: sql`select jsonb_build_object('before', before, 'after', after) from ${done}
      where done.id = ${sql.ref(`${kind.table}.id`)}`,
    wish({ fields, version, is_live, kept }) {
      const { before, after } = kept ?? { before: null, after: {} }
      const isPossible = action === 'restore' ? !is_live : is_live
      const now: Fields = action === 'update' ? fields : { version }
      const isSame = Object.entries(after).every(([field, value]) => isDeepStrictEqual(now[field], value))
      return { after: { ...fields, ...earlier(before ?? {}, fields) }, isPossible, isUnchanged: isPossible && isSame }
    },
  }
}

/** A quota keeps the date of its next renewal: with a former one, it would be renewed once more. */
function earlier(before: Fields, now: Fields): Fields {
  const fields = Object.entries(before).map(([field, value]) => {
    const isQuota = value !== null && typeof value === 'object' && 'renewal_date' in value
    return [field, isQuota ? { ...value, renewal_date: Object(now[field]).renewal_date } : value]
  })
  return Object.fromEntries(fields)
}

async function preview(db: Db, actor: Actor, kind: BulkKind, chain: Chain): Promise<UndoPreview> {
  const plan = await planBack(db, kind, chain)
  const effect = effectOf(kind, plan.action)
  const changed: Changed[] = []
  let [known, done] = [0, 0]
  for await (const evaluated of evaluate(db, actor, kind, plan)) {
    known += 1
    if (evaluated.isUnchanged && outcomeOf(evaluated) === 'changed') done += 1
    else if (changed.length < CHANGED_ROWS_LISTED) changed.push(listed(plan.action, effect, evaluated))
  }
  const effects = { ...NO_EFFECTS, [effect]: done }
  return { effects, changed_count: known - done, changed, gone_count: plan.ids.length - known, problem: null }
}

const GONE = { update: 'It was deleted since. Restore it first.', delete: 'It is deleted already.' }

function listed(action: BulkAction, effect: Effect, evaluated: Evaluated): Changed {
  const { row, changes, isChanged, isUnchanged, refusal } = evaluated
  const isGone = !isChanged && !row.is_live
  const since = row.is_live ? (action === 'restore' ? 'restored' : 'edited') : 'removed'
  return {
    id: row.id,
    name: row.name,
    what: isUnchanged ? 'edited' : since,
    current: null,
    earlier: null,
    changes,
    problem: refusal ?? (isGone ? GONE[action === 'update' ? 'update' : 'delete'] : null),
    effect: outcomeOf(evaluated) === 'changed' ? effect : 'nothing',
    at: row.updated_at,
    by: row.updated_by,
  }
}
