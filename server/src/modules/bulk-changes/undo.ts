import type { Undo, UndoPreview } from '@watchdesk/contract/imports'
import { CHANGED_ROWS_LISTED } from '@watchdesk/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { isoTime } from '../../db/iso-time.ts'
import type { Db } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import { type Chain, type ImportRow, NO_EFFECTS, type UndoKind } from '../imports/undo-kind.ts'
import { carryOut } from './carry-out.ts'
import { choose, differences, judging, lockRecords } from './judge.ts'
import type { BulkAction, BulkKind } from './kind.ts'
import { changing, checkDanger } from './recent-sign-in.ts'

type Sql = RawBuilder<unknown>
type Effect = keyof UndoPreview['effects']

const EFFECTS: Partial<Record<BulkAction, string>> = { update: 'put_back', delete: 'deleted', restore: 'restored' }

/**
 * Undoes a change of many records by the parts of its event. A record that was changed is put back if these fields still
 * have the values that the change gave them. One that was deleted or restored must be of the same version.
 */
export function bulkUndo(kind: BulkKind): UndoKind {
  return {
    entity: kind.entities.many,
    changes: (chain) => kind.countedChanges?.(changesOf(kind, chain)) ?? changesOf(kind, chain),
    async check(trx, actor, chain, changed) {
      const judged = sql`select * from (${judgedBack(kind, actor, chain)}) as judged where ${chosenOf(changed)}`
      await checkDanger(trx, actor, kind, whatTo(kind, chain).action, changing(judged))
    },
    preview: (db, actor, chain) => preview(db, actor, kind, chain),
    async undo(trx, actor, chain, _import_id, changed, { env, locksFirst, progress }) {
      const { action, effect } = whatTo(kind, chain)
      const ids = sql`select id from (${changesOf(kind, chain)}) as done`
      const areHeld = await kind.lockBefore?.(trx, action, ids)
      if (locksFirst || areHeld) await lockRecords(trx, kind, ids)
      const judged = judgedBack(kind, actor, chain)
      const all = await countAll(trx, kind, chain)
      const counted = await choose(trx, sql`select * from (${judged}) as judged where ${chosenOf(changed)}`)
      const done = { env, action, counted, progress }
      return {
        ...NO_EFFECTS,
        [effect]: counted.changed,
        left: all - counted.changed,
        afterEvent: (event_id) => carryOut(trx, actor, kind, { ...done, event_id }),
      }
    },
  }
}

function chosenOf(changed: Undo['changed']) {
  if (changed === 'all') return sql`true`
  return changed === 'leave' ? sql`is_unchanged` : sql`(is_unchanged or id = any(${changed}::int[]))`
}

/** What undoes the last import of the chain. */
function whatTo({ entities }: BulkKind, { first }: Chain) {
  const action = first.is_undone ? doneBy(first) : OPPOSITES[doneBy(first)]
  return { action, effect: `${entities.many}_${EFFECTS[action]}` as Effect }
}

const OPPOSITES = { delete: 'restore', restore: 'delete', update: 'update' } as const

/** What the import did. Users that it added are deleted, and then restored, as if it had restored them. */
function doneBy({ kind, details }: ImportRow) {
  if (kind === 'users_import') return 'restore'
  return details.action === 'delete' ? 'delete' : 'update'
}

/**
 * What was done to each record. A redo has done again only what was undone: what the undo before it left alone is still as
 * the first import, or somebody since, made it.
 */
function changesOf(kind: BulkKind, { first, target }: Chain): Sql {
  const partsOf = ({ details }: ImportRow, order: number) => sql`select entity_id as id, changes, version,
      ${sql.lit(order)} as "order" from audit_events
    where parent_id = ${Number(details.event_id)}::bigint and entity = ${kind.entities.one}`
  if (target.id === first.id || first.is_undone) return partsOf(target, 1)
  return sql`select distinct on (id) * from (${partsOf(target, 1)} union all ${partsOf(first, 2)}) as parts
    order by id, "order"`
}

/** The records as in `judged`, with whether they are as the import left them as `is_unchanged`. */
function judgedBack(kind: BulkKind, actor: Actor, chain: Chain) {
  const { action } = whatTo(kind, chain)
  const column = (name: string) => sql.ref(`${kind.table}.${name}`)
  const isLive = sql`${column('deleted_at')} is null`
  // A quota keeps the date of its next renewal: with a former one, it would be renewed once more.
  const before = sql`case when jsonb_typeof(value -> 'before') = 'object'
    then (value -> 'before') || jsonb_build_object('renewal_date', now.fields -> key -> 'renewal_date') else value -> 'before' end`
  const earlier = sql`(select coalesce(jsonb_object_agg(key, ${before}), '{}') from jsonb_each(done.changes))`
  const isSame = sql`not exists (select from jsonb_each(done.changes) as field
    where now.fields -> field.key is distinct from field.value -> 'after')`
  const isInState = action === 'restore' ? sql`not (${isLive})` : isLive
  return judging(kind, actor, action, {
    from: sql`join (${changesOf(kind, chain)}) as done on done.id = ${column('id')}`,
    where: sql`true`,
    changes:
      action === 'update'
        ? sql`select changes, is_changed and ${isLive} as is_changed from (${differences(earlier)}) as fields`
        : sql`select '{}'::jsonb as changes, ${isInState} as is_changed`,
    columns: sql`, ${isLive} as is_live, ${column('updated_at')} as updated_at, ${column('updated_by')} as updated_by,
      ${isInState} and ${action === 'update' ? isSame : sql`${column('version')} = done.version`} as is_unchanged`,
  })
}

async function countAll(db: Db, kind: BulkKind, chain: Chain) {
  const [counted] = await rowsOf(
    db,
    sql<{ all: number }>`select count(*) as all from (${changesOf(kind, chain)}) as done`,
  )
  return counted?.all ?? 0
}

const DONE = sql`is_unchanged and is_changed and reason is null`

async function preview(db: Db, actor: Actor, kind: BulkKind, chain: Chain): Promise<UndoPreview> {
  const { action, effect } = whatTo(kind, chain)
  const [row] = await rowsOf(
    db,
    sql<{ all: number; done: number; changed_count: number; changed: UndoPreview['changed'] }>`
      with judged as materialized (${judgedBack(kind, actor, chain)})
      select count(*) as all, count(*) filter (where ${DONE}) as done, count(*) filter (where not (${DONE})) as changed_count,
        (select coalesce(json_agg(changed), '[]') from (${listed(action, effect)}) as changed) as changed
      from judged`,
  )
  const { all = 0, done = 0, changed_count = 0, changed = [] } = row ?? {}
  const gone_count = (await countAll(db, kind, chain)) - all
  return { effects: { ...NO_EFFECTS, [effect]: done }, changed_count, changed, gone_count, problem: null }
}

const gone = { update: 'It was deleted since. Restore it first.', delete: 'It is deleted already.' }

function listed(action: BulkAction, effect: Effect) {
  return sql`select id, name,
      case when is_unchanged then 'edited' when not is_live then 'removed'
        when ${action === 'restore'}::boolean then 'restored' else 'edited' end as what,
      null as current, null as earlier, changes,
      case when reason is not null then reason
        when not is_changed and not is_live then ${gone[action === 'update' ? 'update' : 'delete']}::text end as problem,
      case when is_changed and reason is null then ${effect}::text else 'nothing' end as effect,
      ${isoTime(sql`updated_at`)} as at,
      (select json_build_object('id', users.id, 'name', full_name) from users where users.id = judged.updated_by) as by
    from judged where not (${DONE}) order by id limit ${CHANGED_ROWS_LISTED}`
}
