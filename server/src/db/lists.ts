/**
 * The listed tables. Their triggers record the changes from which ranks are computed: see `keep_list` in the
 * migrations, which has the same keys in the same order. Where rows are changed in bulk, very many are recorded as one
 * change.
 */
export const LISTS = {
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
    isChangedInBulk: true,
    keys: {
      url: 'sources.url',
      platform: 'sources.platform',
      country: `coalesce(sources.country::text, 'ZZ')`,
    },
  },
  sheets: { hasSoftDelete: true, keys: { title: 'lower(sheets.title)' } },
  operations: { hasSoftDelete: false, keys: {} },
  vectorization_runs: { hasSoftDelete: false, keys: {} },
} as const satisfies Record<string, { hasSoftDelete: boolean; isChangedInBulk?: boolean; keys: Record<string, string> }>

export type ListedTable = keyof typeof LISTS

/** Tables whose live rows are counted. Stories are not listed. */
export type CountedTable = ListedTable | 'stories'

/** The fields that a table can be sorted by. Ties are resolved by id. */
export type SortKey<Table extends ListedTable> = 'id' | keyof (typeof LISTS)[Table]['keys']
