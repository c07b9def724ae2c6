import { CHANGED_ROWS_LISTED } from '@watchdesk/contract/limits'
import type { Undo, UndoPreview } from '@watchdesk/contract/operations/operations'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { isoTime } from '../../db/iso-time.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import { conflict } from '../../problem.ts'
import {
  type Chain,
  type Effects,
  NO_EFFECTS,
  notUndone,
  type OperationRow,
  savedChanges,
  type UndoKind,
  type UndoRun,
} from './kind.ts'

type Sql = RawBuilder<unknown>

/**
 * How records of one kind are undone. Expressions are about a row of the table, and about `changes`, which has what an
 * import did to it: its content `before`, null if the import added it, and what identifies its content `after`.
 */
type RecordsKind = Pick<UndoKind, 'entity' | 'allChanged'> & {
  table: 'sources' | 'stories' | 'sheets'
  /** Changes that follow from the records alone, so that `operation_changes` need not have them. */
  implied?(target: OperationRow): Sql
  isUnchanged: Sql
  isPossible?(target: OperationRow): Sql
  /** What undoing does to it: one of the effects, or 'nothing'. */
  effect: Sql
  /** How many rows the effect counts for a record. By default, one. */
  size?: Sql
  /** Locks the record, unless `prepare` has locked what it belongs to. */
  lock: Sql
  /** `name`, `what`, `current` and `earlier` of a record that changed since. */
  listed?: Sql
  problem?(db: Db, target: OperationRow): Promise<string | null>
  /** What else undoing would do, and how many records are no longer kept. */
  previewMore?(db: Db, chain: Chain): Promise<{ effects: Partial<UndoPreview['effects']>; gone: number }>
  prepare?(trx: Trx, changes: Sql): Promise<void>
  /** Undoes the changes of the records in the temporary table `undoing`, and keeps what these were until now. */
  write(trx: Trx, actor: Actor, chain: Chain, import_id: number): Promise<Partial<Effects>>
}

export function recordsUndo(kind: RecordsKind): UndoKind {
  const { entity, allChanged, isUnchanged, effect, size = sql`1`, isPossible = () => sql`true` } = kind
  const table = sql.table(kind.table)

  return { entity, allChanged, changes: changesOf, preview, undo }

  function changesOf(target: OperationRow) {
    const kept = savedChanges(target)
    return kind.implied ? sql`${kept} union all ${kind.implied(target)}` : kept
  }

  async function preview(db: Db, _actor: Actor, chain: Chain): Promise<UndoPreview> {
    const { target } = chain
    const query = sql<Count>`select effect, sum(case when effect in ('gone', 'changed') then 1 else size end) as count
      from (select ${size} as size, case when ${table}.id is null or not (${isPossible(target)}) then 'gone'
          when ${isUnchanged} then ${effect} else 'changed' end as effect
        from (${changesOf(target)}) as changes left join ${table} on ${table}.id = changes.id) as effects
      group by effect`
    const { gone = 0, changed: changed_count = 0, nothing: _, ...effects } = countsOf(await rowsOf(db, query))
    const problem = await kind.problem?.(db, target)
    if (problem) return { ...notUndone(problem), gone_count: gone }
    const more = await kind.previewMore?.(db, chain)
    return {
      effects: { ...NO_EFFECTS, ...effects, ...more?.effects },
      changed_count,
      changed: kind.listed && changed_count > 0 ? await listChanged(db, target, kind.listed) : [],
      gone_count: gone + (more?.gone ?? 0),
      problem: null,
    }
  }

  function listChanged(db: Db, target: OperationRow, listed: Sql) {
    const query = sql<UndoPreview['changed'][number]>`select ${table}.id, ${listed}, '{}'::jsonb as changes,
        null as problem, ${effect} as effect, ${isoTime(sql`${table}.updated_at`)} as at,
        (select json_build_object('id', users.id, 'name', full_name) from users where users.id = ${table}.updated_by) as by
      from (${changesOf(target)}) as changes join ${table} on ${table}.id = changes.id
      where not (${isUnchanged}) order by ${table}.id limit ${CHANGED_ROWS_LISTED}`
    return rowsOf(db, query)
  }

  /** Locks the records in the order of their ids, like every change of many of them. */
  async function undo(trx: Trx, actor: Actor, { chain, operation_id, changed }: UndoRun) {
    const changes = changesOf(chain.target)
    await kind.prepare?.(trx, changes)
    const { rows: all } = await sql<{ all: number }>`select count(*) as all from (${changes}) as changes`.execute(trx)
    // Looked up one by one, here and with the index below: if the table was analyzed before an import was saved, PostgreSQL
    // takes it for empty, and would compare each row with each.
    await sql`create temp table undoing on commit drop as
      select ${table}.id, changes.before, ${effect} as effect
      from (select * from (${changes}) as all_changes order by id offset 0) as changes
        cross join lateral (select * from ${table} where ${table}.id = changes.id offset 0 ${kind.lock}) as ${table}
      where ${isChosen(changed)} and (${isPossible(chain.target)})`.execute(trx)
    await sql`create index on undoing (id)`.execute(trx)
    await sql`analyze undoing`.execute(trx)
    await sql`delete from undoing where effect = 'nothing'`.execute(trx)
    const problem = await kind.problem?.(trx, chain.target)
    if (problem) throw conflict(problem)
    const more = await kind.write(trx, actor, chain, operation_id)
    const { rows } = await sql<Count>`select effect, count(*) as count from undoing group by effect`.execute(trx)
    const undone = rows.reduce((sum, { count }) => sum + count, 0)
    return { ...NO_EFFECTS, ...countsOf(rows), left: (all[0]?.all ?? 0) - undone, ...more }
  }

  function isChosen(changed: Undo['changed']) {
    if (changed === 'all') return sql`true`
    return changed === 'leave' ? isUnchanged : sql`(${isUnchanged} or ${table}.id = any(${changed}::bigint[]))`
  }
}

type Count = { effect: string; count: number }

function countsOf(rows: Count[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ effect, count }) => [effect, count]))
}
