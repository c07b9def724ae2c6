import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import type { BulkAction, BulkBody, BulkKind } from './kind.ts'

type Sql = RawBuilder<unknown>

/** Records are locked by the query if others have changed them while an earlier attempt was at work. */
export type Lock = { locksFirst: boolean }

/**
 * All records that the body chooses, with their changes as `changes`, whether there is any as `is_changed`, and as
 * `reason`, why it is not allowed.
 */
export function judged<Kind extends BulkKind>(kind: Kind, actor: Actor, body: BulkBody, { locksFirst }: Lock) {
  const { action } = body
  const isUpdate = action === 'update'
  return judging(kind, actor, action, {
    body,
    changes: isUpdate
      ? differences(kind.wanted(body))
      : sql`select '{}'::jsonb as changes, ${kind.hasEffect(action)} as is_changed`,
    where: kind.matches(actor, body),
    locksFirst,
  })
}

type Judging = Lock & {
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
  const { changes, where, locksFirst, body, from = sql``, columns = sql`` } = wanted
  const table = sql.table(kind.table)
  const { name, detail } = kind.record
  // `offset 0` keeps the planner from computing the same more than once.
  return sql`select ${table}.id, ${table}.version, ${name} as name, ${detail} as detail,
      ${kind.workspace_id} as workspace_id, wanted.changes, wanted.is_changed,
      case when wanted.is_changed then ${kind.refusal(actor, action, body)} end as reason ${columns}
    from ${table} ${from} cross join lateral (select ${kind.current} as fields offset 0) as now
    cross join lateral (${changes} offset 0) as wanted
    where ${where} order by ${table}.id ${locksFirst ? sql`for no key update of ${table}` : sql``}`
}

/** The fields of a JSON object that differ from those of the record, with both values. */
export function differences(wanted: Sql) {
  return sql`select coalesce(jsonb_object_agg(key, jsonb_build_object('before', now.fields -> key, 'after', value))
      filter (where value is distinct from now.fields -> key), '{}') as changes,
      coalesce(bool_or(value is distinct from now.fields -> key), false) as is_changed
    from jsonb_each(${wanted})`
}

export type Counted = { matching: number; changed: number; refused: number }

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
      count(reason) as refused from kept`.execute(trx)
  await sql`create index on chosen (place)`.execute(trx)
  await sql`analyze chosen`.execute(trx)
  return rows[0] ?? { matching: 0, changed: 0, refused: 0 }
}
