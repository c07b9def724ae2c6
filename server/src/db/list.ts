import { MAX_PAGE_SIZE, PAGE_SIZE } from '@watchdesk/contract/limits'
import type { ListOptions, ListQuery } from '@watchdesk/contract/list'
import type { Page } from '@watchdesk/contract/page'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { hasNoPlaces, idsFromPlace, orderOf, totalOf } from './list-places.ts'
import type { ListedTable, SortKey } from './lists.ts'
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
  /** Up to this many matching rows are sorted: where they are together, other rows would be read first in vain. */
  sortedAtMost?: number
}

/** More matching rows than this are not sorted in memory but counted, and then read in the order of an index. */
const SORTED_ROWS = 10_000

/**
 * A page of a list, with the exact total, in one statement. Without a filter, it starts at the nearest place whose rank
 * is known. Rows that match a filter are read once, unless there are very many. Only the rows of the page are joined.
 */
export async function listPage<Row, Table extends ListedTable, Options extends ListOptions>(
  read: Read,
  list: List<Row, Table, Options>,
): Promise<Page<Row>> {
  const { table, options, query, rows } = list
  const size = query.page_size ?? PAGE_SIZE
  const offset = ((query.page ?? 1) - 1) * size
  const filters = list.filters.filter((condition) => Boolean(condition)) as Sql[]
  const descending = query.sort?.startsWith('-') ?? options.isNewestFirst ?? false
  const order = orderOf(table, query.sort?.replace(/^-/, '') ?? 'id')
  const where = sql.join([order.live, ...filters], sql` and `)
  const listed = sql`select ${sql.ref(`${table}.id`)} as id, ${order.key} as key from ${sql.table(table)} where ${where}`

  if (filters.length === 0) {
    // In the primary key, very many deleted rows may come before the first page.
    const isAtStart = offset === 0 && !(order.sort === 'id' && order.hasSoftDelete)
    const found = page(
      await read(
        select(
          isAtStart
            ? {
                total: totalOf(table),
                ids: sql`${listed} and not ${hasNoPlaces(table)} order by ${by(descending)} limit ${size}`,
              }
            : idsFromPlace(order, { offset, size, descending }),
        ),
      ),
    )
    // Very many rows have just changed. Until the list is compacted, no place is known, and an index may begin with as many
    // entries of former rows.
    const hasNoPlace = found.objects.length === 0 && offset < found.total
    return hasNoPlace ? readInOrder(found.total, listed) : found
  }
  const first = await search({
    with: sql`matching as materialized (${listed} limit ${SORTED_ROWS + 1})`,
    total: sql`select count(*) as list_total from matching`,
    ids: sql`select id, key from matching order by ${by(descending)} limit ${size} offset ${offset}`,
  })
  if (first.total <= SORTED_ROWS) return first

  const count = sql<{ total: number }>`select count(*) as total from ${sql.table(table)} where ${where}`
  const total = (await read(count, { isSearch: true }))[0]?.total ?? 0
  // The planner does not look into a subquery with an offset, and sorts its rows.
  const matching = total <= (list.sortedAtMost ?? 0) ? sql`select * from (${listed} offset 0) as matching` : listed
  return readInOrder(total, matching)

  /** From the nearer end. */
  function readInOrder(total: number, matching: Sql) {
    const length = Math.max(Math.min(size, total - offset), 0)
    const after = Math.max(total - offset - length, 0)
    const isNearEnd = after < offset
    return search({
      total: sql`select ${total}::bigint as list_total`,
      ids: sql`${matching} order by ${by(isNearEnd !== descending)} limit ${length} offset ${isNearEnd ? after : offset}`,
    })
  }

  async function search(source: Source) {
    return page(await read(select(source), { isSearch: true }))
  }

  /**
   * The limit tells the planner that a page is short. The offset makes it read the rows one by one, by their ids: it
   * would read the whole of a small table instead, which takes longer than a page of a large one.
   */
  function select({ with: ctes, total, ids }: Source) {
    return sql<Listed<Row>>`${ctes ? sql`with ${ctes}` : sql``}
      select list_total, place, rows.* from (${total}) as counted left join (
        (select id, row_number() over (order by ${by(descending)}) as place
          from (select * from (${ids}) as ids limit ${sql.lit(MAX_PAGE_SIZE)}) as ids) as page
        cross join lateral (select * from (${rows(sql`page.id`)}) as row offset 0) as rows) on true order by place`
  }

  function page(listed: Listed<Row>[]): Page<Row> {
    const objects = listed
      .filter(({ place }) => place !== null)
      .map(({ list_total: _, place: __, ...row }) => row as Row)
    return { objects, total: listed[0]?.list_total ?? 0, size }
  }
}

/** `ids` selects the ids and sort keys of the page, in any order. */
type Source = { with?: Sql; total: Sql; ids: Sql }
type Listed<Row> = Row & { list_total: number; place: number | null }

function by(descending: boolean) {
  const direction = descending ? sql`desc` : sql`asc`
  return sql`key ${direction}, id ${direction}`
}

/** Matches any part of a text column, ignoring case. */
export function matches(column: string, search: string | undefined) {
  return search ? likePart(sql.ref(column), search) : undefined
}

/** The same for an expression in lower case; user input is never a pattern. */
export function likePart(text: Sql, search: string) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`${text} like lower(${pattern})`
}
