import { PAGE_SIZE } from '@watchdesk/contract/limits'
import type { ListOptions, ListQuery, SortField } from '@watchdesk/contract/list'
import type { Page } from '@watchdesk/contract/page'
import { type Expression, type RawBuilder, sql } from 'kysely'
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
  /** Selects the row with this id. */
  rows(id: RawBuilder<number>): Expression<Row>
}

/** More matching rows than this are not sorted in memory but counted, and then read in the order of an index. */
const SORTED_ROWS = 10_000

/**
 * A page of a list, with the exact total. Rows that match a filter are read once, unless there are very many. Without a
 * filter, the total comes from the maintained counts, which also locate the page when sorted by id; otherwise the ids of
 * the page come from an index-only scan from the nearer end of the list. Only the rows of the page are joined.
 */
export async function listPage<Row, Options extends ListOptions>(db: Db, list: List<Row, Options>): Promise<Page<Row>> {
  const { table, options, query, rows } = list
  const size = query.page_size ?? PAGE_SIZE
  const offset = ((query.page ?? 1) - 1) * size
  const filters = list.filters.filter((condition) => Boolean(condition)) as RawBuilder<unknown>[]
  const where = sql.join([list.base, ...filters], sql` and `)
  const descending = query.sort?.startsWith('-') ?? options.isNewestFirst ?? false
  const sorts: Record<string, Column> = list.sorts
  const column = query.sort ? sorts[query.sort.replace(/^-/, '')] : undefined
  const id = sql.ref(`${table}.id`)
  const listed = sql`select ${id} as id, ${column ?? id} as key from ${sql.table(table)} where ${where}`

  if (filters.length > 0) {
    // The best plan depends on what is searched.
    const matching = sql`/* unnamed */ with matching as materialized (${listed} limit ${SORTED_ROWS + 1})`
    const total = sql`select count(*) as list_total from matching`
    const ids = sql`select id, key from matching order by ${order(descending)} limit ${size} offset ${offset}`
    const page = await readPage(db, { with: matching, total, ids, descending, rows })
    if (page.total <= SORTED_ROWS) return { ...page, size }
  }

  // Empty if the table has no maintained counts, or never had a row: then the rows are counted.
  const ranges = filters.length === 0 ? await keptCounts(db, table) : []
  const total = ranges.length > 0 ? ranges.reduce((sum, { live }) => sum + live, 0) : await count(db, table, where)
  const length = Math.min(size, total - offset)
  if (length <= 0) return { objects: [], total, size }

  const start = descending ? total - offset - length : offset
  const walk = ranges.length > 0 && !column ? walkIds(ranges, start, length) : walkAll(total, start, length)
  const ids = sql`${listed} ${border(table, walk)} order by ${order(walk.descending)} limit ${length} offset ${walk.skip}`
  const page = await readPage(db, {
    with: filters.length > 0 ? sql`/* unnamed */` : sql``,
    total: sql`select ${total}::bigint as list_total`,
    ids,
    descending,
    rows,
  })
  return { ...page, size }
}

type PageSource<Row> = {
  /** Common table expressions of the other two. */
  with: RawBuilder<unknown>
  total: RawBuilder<unknown>
  /** The ids and sort keys of the page, in any order. */
  ids: RawBuilder<unknown>
  descending: boolean
  rows: List<Row, ListOptions>['rows']
}

/** One statement, so that the total and the rows are of the same snapshot. */
async function readPage<Row>(db: Db, { with: ctes, total, ids, descending, rows }: PageSource<Row>) {
  type Read = Row & { list_total: number; place: number | null }
  const read = await rowsOf(
    db,
    sql<Read>`${ctes} select list_total, place, rows.* from (${total}) as counted left join (
      (select id, row_number() over (order by ${order(descending)}) as place from (${ids}) as ids) as page
      cross join lateral (${rows(sql`page.id`)}) as rows) on true order by place`,
  )
  const objects = read.filter(({ place }) => place !== null).map(({ list_total: _, place: __, ...row }) => row as Row)
  return { objects, total: read[0]?.list_total ?? 0 }
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

function order(descending: boolean) {
  const direction = descending ? sql`desc` : sql`asc`
  return sql`key ${direction}, id ${direction}`
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
