import { sql } from 'kysely'

/** The listed tables, with an expression for each field that they are sorted by. Each needs an index in the migrations. */
const SORTS = {
  workspaces: {
    name: 'lower(workspaces.name)',
    status: `coalesce('0' || workspaces.status, '1')`,
    trial_end_date: 'workspaces.trial_order',
    analytical_quota: 'workspaces.analytical_order',
    ai_quota: 'workspaces.ai_order',
  },
  users: { email: 'lower(users.email)', full_name: 'lower(users.full_name)' },
  sources: { url: 'sources.url', platform: 'sources.platform', country: `coalesce(sources.country::text, 'ZZ')` },
  sheets: { title: 'lower(sheets.title)' },
  operations: {},
  vectorization_runs: {},
} as const satisfies Record<string, Record<string, string>>

export type ListedTable = keyof typeof SORTS

/** Tables whose rows are never in the bin. */
const WITHOUT_BIN: ListedTable[] = ['operations', 'vectorization_runs']

/** The fields that a table can be sorted by. Ties are resolved by id. */
export type SortKey<Table extends ListedTable> = 'id' | keyof (typeof SORTS)[Table]

/**
 * The ids and sort keys of rows, and their order. In the order of the ids there is no key: it would be computed for each row
 * that is passed over before a page.
 */
export function orderOf(table: ListedTable, sort = 'id') {
  const keys: Record<string, string | undefined> = SORTS[table]
  const key = keys[sort.replace(/^-/, '')]
  const id = sql.ref(`${table}.id`)
  return {
    columns: key ? sql`${id}, ${sql.raw(key)} as key` : id,
    by(descending: boolean) {
      const direction = sql.raw(descending ? 'desc' : 'asc')
      return key ? sql`key ${direction}, id ${direction}` : sql`id ${direction}`
    },
  }
}

export function isLive(table: ListedTable) {
  return WITHOUT_BIN.includes(table) ? sql`true` : sql`${sql.ref(`${table}.deleted_at`)} is null`
}
