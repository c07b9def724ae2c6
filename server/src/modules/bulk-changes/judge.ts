import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import type { BulkAction, BulkBody, BulkKind } from './kind.ts'

type Sql = RawBuilder<unknown>

/** Records are locked before they are judged if others have changed them while an earlier attempt was at work. */
export type Lock = { locksFirst: boolean }

/**
 * Locks records in the order of their ids, so that two changes wait for each other instead of ending in a deadlock. In a
 * statement of its own: one that also read them would see their columns from before it had to wait.
 */
export async function lockRecords(trx: Trx, { table }: BulkKind, ids: Sql) {
  const locked = sql.table(table)
  await sql`select from ${locked} where ${locked}.id in (${ids}) order by ${locked}.id for no key update`.execute(trx)
}

/**
 * All records that the body chooses, with their changes as `changes`, whether there is any as `is_changed`, and as
 * `reason`, why it is not allowed.
 */
export function judged<Kind extends BulkKind>(kind: Kind, actor: Actor, body: BulkBody) {
  const { action } = body
  const isUpdate = action === 'update'
  return judging(kind, actor, action, {
    body,
    changes: isUpdate
      ? differences(kind.wanted(body))
      : sql`select '{}'::jsonb as changes, ${kind.hasEffect(action)} as is_changed`,
    where: kind.matches(actor, body),
  })
}

type Judging = {
  body?: BulkBody
  /** Selects `changes` and `is_changed` for a row of the table, whose fields are `now.fields`. */
  changes: Sql
  /** More tables. */
  from?: Sql
  /** More columns. */
  columns?: Sql
  where: Sql
}

export function judging(kind: BulkKind, actor: Actor, action: BulkAction, wanted: Judging) {
  const { changes, where, body, from = sql``, columns = sql`` } = wanted
  const table = sql.table(kind.table)
  const { name, detail } = kind.record
  // `offset 0` keeps the planner from computing the same more than once.
  return sql`select ${table}.id, ${table}.version, ${name} as name, ${detail} as detail,
      ${kind.workspace_id} as workspace_id, ${kind.identity?.(action) ?? sql`${table}.id::text`} as identity, wanted.changes, wanted.is_changed,
      case when wanted.is_changed then ${kind.refusal(actor, action, body)} end as reason ${columns}
    from ${table} ${from} cross join lateral (select ${kind.current} as fields offset 0) as now
    cross join lateral (${changes} offset 0) as wanted
    where ${where} order by ${table}.id`
}

/** The fields of a JSON object that differ from those of the record, with both values. */
export function differences(wanted: Sql) {
  return sql`select coalesce(jsonb_object_agg(key, jsonb_build_object('before', now.fields -> key, 'after', value))
      filter (where value is distinct from now.fields -> key), '{}') as changes,
      coalesce(bool_or(value is distinct from now.fields -> key), false) as is_changed
    from jsonb_each(${wanted})`
}

export type Counted = {
  matching: number
  changed: number
  refused: number
  /** Of which records change. */
  checksum: string
  /** That change in any of them. */
  fields: string[]
}

const isAllowed = sql`is_changed and reason is null`

/** About the records in `judged` that change. */
export const CHECKSUM = sql`(select md5(coalesce(string_agg(identity, ',' order by id), '')) from judged where ${isAllowed})`
export const CHANGED_FIELDS = sql`array(select distinct jsonb_object_keys(changes) as field from judged where ${isAllowed} order by field)`

/** Lists the records that will change or are refused in the temporary table `chosen`, in the order of their ids. */
export async function choose(trx: Trx, query: Sql): Promise<Counted> {
  await sql`create temp table chosen (number integer not null, place integer, id integer not null,
    version integer not null, name text, detail text, workspace_id integer, changes jsonb not null, reason text)
    on commit drop`.execute(trx)
  const { rows } = await sql<Counted>`with judged as materialized (${query}), kept as (
      insert into chosen select row_number() over (order by id),
        case when reason is null then count(*) filter (where reason is null) over (order by id) end,
        id, version, name, detail, workspace_id, changes, reason
      from judged where is_changed order by id
      returning reason
    )
    select (select count(*) from judged) as matching, count(*) filter (where reason is null) as changed,
      count(reason) as refused, ${CHECKSUM} as checksum, ${CHANGED_FIELDS} as fields from kept`.execute(trx)
  await sql`create index on chosen (place)`.execute(trx)
  await sql`analyze chosen`.execute(trx)
  const [counted] = rows
  if (!counted) throw new Error('The records were not counted')
  return counted
}
