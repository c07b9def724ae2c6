import { PAGE_SIZE } from '@watchdesk/contract/limits'
import type { Page, PageQuery } from '@watchdesk/contract/page'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './open.ts'
import type { Tables } from './tables.ts'

type Condition = RawBuilder<unknown> | false | 0 | '' | undefined

type List<Row> = {
  table: 'users' | 'workspaces' | 'audit_events' | 'vectorization_runs'
  query: PageQuery
  /** Which rows the list is about, and whose number `row_counts` keeps. */
  base: RawBuilder<unknown>
  /** What narrows it down; those that do not apply are false or undefined. */
  filters: Condition[]
  /** What to sort by before the id, which settles ties. */
  order?: RawBuilder<unknown>
  descending: boolean
  /** Reads the rows of the page's ids, which stand in a subquery; `order` puts them in order again. */
  rows(ids: RawBuilder<number>, order: RawBuilder<unknown>): Promise<Row[]>
}

/**
 * A page of a list, with the exact total. An unfiltered total is read from the maintained count; ids are found in an
 * index alone, from the end of the list that is nearer; only then are the rows of that page read and joined.
 */
export async function listPage<Row>(db: Db, list: List<Row>): Promise<Page<Row>> {
  const size = list.query.page_size ?? PAGE_SIZE
  const offset = ((list.query.page ?? 1) - 1) * size
  const filters = list.filters.filter((condition) => Boolean(condition)) as RawBuilder<unknown>[]
  const where = sql.join([list.base, ...filters], sql` and `)

  const total = filters.length === 0 ? await keptCount(db, list.table) : await count(db, list.table, where)
  const length = Math.min(size, total - offset)
  if (length <= 0) return { objects: [], total, size }

  const fromEnd = offset > total / 2
  const skip = fromEnd ? total - offset - length : offset
  const walk = orderBy(list, list.descending !== fromEnd)
  const ids = sql<number>`(select ${sql.ref(`${list.table}.id`)} from ${sql.table(list.table)} where ${where}
    order by ${walk} limit ${length} offset ${skip})`
  return { objects: await list.rows(ids, orderBy(list, list.descending)), total, size }
}

function orderBy({ table, order }: Pick<List<unknown>, 'table' | 'order'>, descending: boolean) {
  const direction = descending ? sql`desc` : sql`asc`
  const id = sql`${sql.ref(`${table}.id`)} ${direction}`
  return order ? sql`${order} ${direction}, ${id}` : id
}

async function keptCount(db: Db, table: keyof Tables) {
  const row = await db
    .selectFrom('row_counts')
    .select(sql<number>`coalesce(sum(live), 0)::bigint`.as('total'))
    .where('table_name', '=', table)
    .executeTakeFirstOrThrow()
  return row.total
}

async function count(db: Db, table: string, where: RawBuilder<unknown>) {
  const { rows } = await sql<{
    total: number
  }>`select count(*) as total from ${sql.table(table)} where ${where}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Any part of the text, in any letter case; what the person typed is never a pattern. */
export function matches(column: string, search: string | undefined) {
  if (!search) return undefined
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`${sql.ref(column)} like lower(${pattern})`
}

/** Splits `-email` into what to sort by and the direction. */
export function sortOf<Field extends string>(sort: Field | `-${Field}` | undefined, fallback: Field) {
  const descending = sort?.startsWith('-') ?? false
  const field = (descending ? sort?.slice(1) : sort) as Field | undefined
  return { field: field ?? fallback, descending }
}
