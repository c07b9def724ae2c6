import { MAX_PAGE_SIZE, PAGE_SIZE } from '@watchdesk/contract/limits'
import type { ListOptions, ListQuery } from '@watchdesk/contract/list'
import type { Page } from '@watchdesk/contract/page'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { totalOf } from './list-totals.ts'
import { isLive, type ListedTable, orderOf, type SortKey } from './lists.ts'
import type { Read } from './read.ts'

type Sql = RawBuilder<unknown>

type List<Row, Table extends ListedTable, Options extends ListOptions> = {
  table: Table
  /** The list options in the contract. */
  options: Options & { sorts?: readonly SortKey<Table>[] }
  query: ListQuery<Options>
  /** Filters; those that do not apply are false or undefined. */
  filters: (Sql | false | 0 | '' | undefined)[]
  /** Selects the row with this id. */
  rows(id: RawBuilder<number>): Expression<Row>
}

/** More matching rows than this are not sorted in memory but counted, and then read in the order of an index. */
const SORTED_ROWS = 10_000

/**
 * A page of a list, with the exact total. Without a filter, the total is kept by triggers, and the ids are read in the order
 * of an index, from the nearer end. Rows that match a filter are read once, unless there are very many. Only the rows of
 * the page are joined.
 */
export async function listPage<Row, Table extends ListedTable, Options extends ListOptions>(
  read: Read,
  list: List<Row, Table, Options>,
): Promise<Page<Row>> {
  const { table, options, query, rows } = list
  const size = query.page_size ?? PAGE_SIZE
  const offset = ((query.page ?? 1) - 1) * size
  const filters = list.filters.filter((condition) => Boolean(condition)) as Sql[]
  const isSearch = filters.length > 0
  const descending = query.sort?.startsWith('-') ?? options.isNewestFirst ?? false
  const where = sql.join([isLive(table), ...filters], sql` and `)
  const { columns, by } = orderOf(table, query.sort)
  const listed = sql`select ${columns} from ${sql.table(table)} where ${where}`

  if (isSearch) {
    const first = await pageOf({
      with: sql`with matching as materialized (${listed} limit ${SORTED_ROWS + 1})`,
      total: sql`select count(*) as list_total from matching`,
      ids: sql`select * from matching order by ${by(descending)} limit ${size} offset ${offset}`,
    })
    return first.total <= SORTED_ROWS
      ? first
      : readInOrder(sql`select count(*) as list_total from ${sql.table(table)} where ${where}`)
  }
  if (offset > 0) return readInOrder(totalOf(table))
  return pageOf({ total: totalOf(table), ids: sql`${listed} order by ${by(descending)} limit ${size}` })

  /** From the nearer end. */
  async function readInOrder(count: RawBuilder<{ list_total: number }>) {
    const total = (await read(count, { isSearch }))[0]?.list_total ?? 0
    const length = Math.max(Math.min(size, total - offset), 0)
    const after = Math.max(total - offset - length, 0)
    const isNearEnd = after < offset
    return pageOf({
      total: sql`select ${total}::bigint as list_total`,
      ids: sql`${listed} order by ${by(isNearEnd !== descending)} limit ${length} offset ${isNearEnd ? after : offset}`,
    })
  }

  /**
   * The limit tells the planner that a page is short. The offset makes it read the rows one by one, by their ids: it
   * would read the whole of a small table instead, which takes longer than a page of a large one.
   */
  async function pageOf({ with: ctes = sql``, total, ids }: Source): Promise<Page<Row>> {
    const statement = sql<Listed<Row>>`${ctes}
      select list_total, place, rows.* from (${total}) as counted left join (
        (select id, row_number() over (order by ${by(descending)}) as place
          from (select * from (${ids}) as ids limit ${sql.lit(MAX_PAGE_SIZE)}) as ids) as page
        cross join lateral (select * from (${rows(sql`page.id`)}) as row offset 0) as rows) on true order by place`
    const found = await read(statement, { isSearch })
    const objects = found
      .filter(({ place }) => place !== null)
      .map(({ list_total: _, place: __, ...row }) => row as Row)
    return { objects, total: found[0]?.list_total ?? 0, size }
  }
}

/** `ids` selects the ids and sort keys of the page, in any order. */
type Source = { with?: Sql; total: Sql; ids: Sql }
type Listed<Row> = Row & { list_total: number; place: number | null }

/** Matches any part of a text column, ignoring case. */
export function matches(column: string, search: string | undefined) {
  return search ? likePart(sql.ref(column), search) : undefined
}

/** The same for an expression in lower case; user input is never a pattern. */
export function likePart(text: Sql, search: string) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`${text} like lower(${pattern})`
}
