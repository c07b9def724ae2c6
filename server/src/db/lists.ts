import { sql } from 'kysely'

/** The listed tables, with an expression for each field that they are sorted by. Each needs an index in the migrations. */
const LISTS = {
  workspaces: {
    hasSoftDelete: true,
    keys: {
      name: 'lower(workspaces.name)',
      status: `coalesce('0' || workspaces.status, '1')`,
      trial_end_date: 'workspaces.trial_order',
      analytical_quota: 'workspaces.analytical_order',
      ai_quota: 'workspaces.ai_order',
    },
  },
  users: { hasSoftDelete: true, keys: { email: 'lower(users.email)', full_name: 'lower(users.full_name)' } },
  sources: {
    hasSoftDelete: true,
    keys: {
      url: 'sources.url',
      platform: 'sources.platform',
      country: `coalesce(sources.country::text, 'ZZ')`,
    },
  },
  sheets: { hasSoftDelete: true, keys: { title: 'lower(sheets.title)' } },
  operations: { hasSoftDelete: false, keys: {} },
  vectorization_runs: { hasSoftDelete: false, keys: {} },
} as const satisfies Record<string, { hasSoftDelete: boolean; keys: Record<string, string> }>

export type ListedTable = keyof typeof LISTS

/** The fields that a table can be sorted by. Ties are resolved by id. */
export type SortKey<Table extends ListedTable> = 'id' | keyof (typeof LISTS)[Table]['keys']

/** The sort key of a row is a text; in the order of the ids it is empty. */
export function keyOf(table: ListedTable, sort: string) {
  const keys: Record<string, string> = LISTS[table].keys
  return sql.raw(keys[sort] ?? `''`)
}

export function isLive(table: ListedTable) {
  return LISTS[table].hasSoftDelete ? sql`${sql.ref(`${table}.deleted_at`)} is null` : sql`true`
}
