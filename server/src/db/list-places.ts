import { sql } from 'kysely'
import { type CountedTable, LISTS, type ListedTable } from './lists.ts'

/** An order of a list, ascending. */
export type Order = ReturnType<typeof orderOf>

/** The sort key is a text; in the order of the ids it is empty. */
export function orderOf(table: ListedTable, sort: string) {
  const { hasSoftDelete, keys } = LISTS[table]
  const fields = Object.keys(keys)
  const expression = new Map<string, string>(Object.entries(keys)).get(sort)
  const id = sql.ref(`${table}.id`)
  const position = sql.lit(fields.indexOf(sort) + 1)
  return {
    table,
    sort: expression ? sort : 'id',
    hasSoftDelete,
    live: hasSoftDelete ? sql`${sql.ref(`${table}.deleted_at`)} is null` : sql`true`,
    key: expression ? sql`${sql.raw(expression)}` : sql`''`,
    /** The key in an array of `list_changes`. */
    keyIn: (column: 'before' | 'after') =>
      expression ? sql`${sql.ref(column)}[${position}]` : sql`case when ${sql.ref(column)} is not null then '' end`,
    /** Compares the row with a place. The key is left out where it is empty, for the sake of the index. */
    isAt: (operator: '<' | '>=', place: string) => {
      const [left, right] = expression
        ? [sql`(${sql.raw(expression)}, ${id})`, sql`(${sql.ref(`${place}.key`)}, ${sql.ref(`${place}.id`)})`]
        : [id, sql.ref(`${place}.id`)]
      return sql`${left} ${sql.raw(operator)} ${right}`
    },
  }
}

/** How many live rows were added, less those that were removed, by some entries of `list_changes`. */
export const LIVE_CHANGE = sql`count(after) - count(before) + coalesce(sum(live_change), 0)`

/** The exact total of a list in the snapshot of the statement: the compacted one and the changes since. */
export function totalOf(table: CountedTable) {
  const list = sql.lit(table)
  return sql`select live + (select ${LIVE_CHANGE} from list_changes where list = ${list}) as list_total
    from list_totals where list = ${list}`
}

/** Whether very many rows changed at once, and the places of the list were not saved again since. */
export function hasNoPlaces(table: ListedTable) {
  if (!('isChangedInBulk' in LISTS[table])) return sql`false`
  return sql`exists (select from list_changes where list = ${sql.lit(table)} and live_change is not null)`
}

type Slice = { offset: number; size: number; descending: boolean }

/**
 * The ids and keys of a page, found from the nearest place before it. The rank of the place in the snapshot of the
 * statement is the compacted one and the changes since, so the page may also begin before the place. None are
 * found as long as there are no places.
 */
export function idsFromPlace(order: Order, { offset, size, descending }: Slice) {
  const { table, sort, live, key, keyIn, isAt } = order
  const list = sql.lit(table)
  const end = sql`(${offset}::bigint + ${size}::bigint)`
  const rows = (operator: '<' | '>=') => sql`select ${sql.ref(`${table}.id`)} as id, ${key} as key
    from ${sql.table(table)} where ${live} and ${isAt(operator, 'place')}`
  const below = (column: 'before' | 'after') =>
    sql`count(*) filter (where (${keyIn(column)}, list_changes.id) < (near.key, near.id))`
  return {
    with: sql`counted as materialized (${totalOf(table)}), bounds as materialized (
      select ${
        descending
          ? sql`greatest(list_total - ${end}, 0) as first, list_total - ${offset}::bigint as stop`
          : sql`${offset}::bigint as first, least(${end}, list_total) as stop`
      } from counted
    ), place as materialized (
      select key, id, rank + (select ${below('after')} - ${below('before')} from list_changes where list = ${list}) as rank
      from (
        (select rank, key, id from list_places where list = ${list} and sort = ${sql.lit(sort)}
          and rank <= (select first from bounds) order by rank desc, id desc limit 1)
        union all select 0, '', 0 order by rank desc, id desc limit 1
      ) as near where not ${hasNoPlaces(table)}
    )`,
    total: sql`select list_total from counted`,
    ids: sql`select after_place.* from bounds, place, lateral (${rows('>=')} order by key, id
        limit greatest(stop - greatest(first, rank), 0) offset greatest(first - rank, 0)) as after_place
      union all select before_place.* from bounds, place, lateral (${rows('<')} order by key desc, id desc
        limit greatest(least(stop, rank) - first, 0) offset greatest(rank - stop, 0)) as before_place`,
  }
}
