import { PAGE_SIZE } from '@watchdesk/contract/limits'
import type { ListOptions, ListQuery, SortField } from '@watchdesk/contract/list'
import type { Page } from '@watchdesk/contract/page'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './open.ts'
import { rowsOf } from './read.ts'
import type { Tables } from './tables.ts'

type Condition = RawBuilder<unknown> | false | 0 | '' | undefined

/** Any table with an id column. */
type ListedTable = { [Table in keyof Tables]: Tables[Table] extends { id: unknown } ? Table : never }[keyof Tables]

type Column = RawBuilder<unknown> | undefined

type List<Row, Options extends ListOptions> = {
  table: ListedTable
  /** The list options in the contract. */
  options: Options
  query: ListQuery<Options>
  /** The rows that the list is about. `row_counts` has their number if the table has the trigger `keep_row_count`. */
  base: RawBuilder<unknown>
  /** Filters; those that do not apply are false or undefined. */
  filters: Condition[]
  /** The expression for each sortable field, undefined for the id. Ties are resolved by id. */
  sorts: Record<SortField<Options>, Column>
  /** Reads the rows of the ids in a subquery, in this order. */
  rows(ids: RawBuilder<number>, order: RawBuilder<unknown>): Promise<Row[]>
}

/**
 * A page of a list, with the exact total. Without a filter, the total comes from the maintained counts, which also
 * locate the page when sorted by id; otherwise the ids of the page come from an index-only scan from the nearer end
 * of the list. Only then are the rows of the page read and joined.
 */
export async function listPage<Row, Options extends ListOptions>(db: Db, list: List<Row, Options>): Promise<Page<Row>> {
  const { table, options, query } = list
  const size = query.page_size ?? PAGE_SIZE
  const offset = ((query.page ?? 1) - 1) * size
  const filters = list.filters.filter((condition) => Boolean(condition)) as RawBuilder<unknown>[]
  const where = sql.join([list.base, ...filters], sql` and `)
  const descending = query.sort?.startsWith('-') ?? options.isNewestFirst ?? false
  const sorts: Record<string, Column> = list.sorts
  const column = query.sort ? sorts[query.sort.replace(/^-/, '')] : undefined

  // Empty if the table has no maintained counts, or never had a row: then the rows are counted.
  const ranges = filters.length === 0 ? await keptCounts(db, table) : []
  const total = ranges.length > 0 ? ranges.reduce((sum, { live }) => sum + live, 0) : await count(db, table, where)
  const length = Math.min(size, total - offset)
  if (length <= 0) return { objects: [], total, size }

  const start = descending ? total - offset - length : offset
  const walk = ranges.length > 0 && !column ? walkIds(ranges, start, length) : walkAll(total, start, length)
  const ids = sql<number>`(select ${sql.ref(`${table}.id`)} from ${sql.table(table)}
    where ${where} ${border(table, walk)} order by ${orderBy(table, column, walk.descending)}
    limit ${length} offset ${walk.skip})`
  return { objects: await list.rows(ids, orderBy(table, column, descending)), total, size }
}

/** The scan direction for the rows from `start` on, counted in ascending order, and how many rows to skip. */
type Walk = { descending: boolean; skip: number; from?: number }

function walkAll(total: number, start: number, length: number): Walk {
  const after = total - start - length
  return after < start ? { descending: true, skip: after } : { descending: false, skip: start }
}

/** The same from the nearer end of a range of ids, so that at most half of a range is skipped. */
function walkIds(ranges: Range[], start: number, length: number): Walk {
  let before = 0
  let best: Walk = { descending: false, skip: start }
  for (const { id_range, live } of ranges) {
    const after = before + live
    const up = { descending: false, skip: start - before, from: id_range * IDS_IN_RANGE }
    const down = { descending: true, skip: after - start - length, from: (id_range + 1) * IDS_IN_RANGE }
    for (const walk of [up, down]) if (walk.skip >= 0 && walk.skip < best.skip) best = walk
    before = after
  }
  return best
}

function border(table: string, { from, descending }: Walk) {
  if (from === undefined) return sql``
  return sql`and ${sql.ref(`${table}.id`)} ${descending ? sql`<` : sql`>=`} ${from}`
}

function orderBy(table: string, column: Column, descending: boolean) {
  const direction = descending ? sql`desc` : sql`asc`
  const id = sql`${sql.ref(`${table}.id`)} ${direction}`
  return column ? sql`${column} ${direction}, ${id}` : id
}

const IDS_IN_RANGE = 65_536
type Range = { id_range: number; live: number }

function keptCounts(db: Db, table: ListedTable): Promise<Range[]> {
  return db
    .selectFrom('row_counts')
    .select(['id_range', sql<number>`sum(live)::bigint`.as('live')])
    .where('table_name', '=', table)
    .groupBy('id_range')
    .orderBy('id_range')
    .execute()
}

async function count(db: Db, table: string, where: RawBuilder<unknown>) {
  const query = sql<{ total: number }>`select count(*) as total from ${sql.table(table)} where ${where}`
  const [row] = await rowsOf(db, query)
  return row?.total ?? 0
}

/** Matches any part of the text, ignoring case; user input is never a pattern. */
export function matches(column: string, search: string | undefined) {
  if (!search) return undefined
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`${sql.ref(column)} like lower(${pattern})`
}
