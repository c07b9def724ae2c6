import type * as schema from './bin.schema.ts'
import type { Endpoint, ListEndpoint } from './endpoint.ts'
import type { ListOptions } from './list.ts'

export type { BinOutcome, BinQuery, BinRecord, BinRemove, BinRestore, EmailClash } from './bin.schema.ts'

export const binList = {
  search: 'Search name, email or address',
  filters: {
    kind: {
      label: 'Kind',
      placeholder: 'All kinds',
      options: { user: 'Users', workspace: 'Workspaces', dashboard: 'Dashboards', sheet: 'Sheets', source: 'Sources' },
    },
  },
} as const satisfies ListOptions

export type BinKind = keyof typeof binList.filters.kind.options

export const listBin: ListEndpoint<typeof schema.listBin, typeof binList> = {
  method: 'GET',
  url: '/api/v1/bin/',
  config: { access: 'workspace_admin' },
  list: binList,
}

export const listEmailClashes: Endpoint<typeof schema.listEmailClashes> = {
  method: 'GET',
  url: '/api/v1/bin/workspaces/:id/clashes',
  config: { access: 'super_admin' },
}

export const restoreFromBin: Endpoint<typeof schema.restoreFromBin> = {
  method: 'POST',
  url: '/api/v1/bin/restore',
  // A workspace returns with all of its users, however many there are.
  config: { access: 'workspace_admin', is_expensive: true, timeout_ms: 300_000 },
}

export const removeFromBin: Endpoint<typeof schema.removeFromBin> = {
  method: 'POST',
  url: '/api/v1/bin/remove',
  config: { access: 'super_admin', needs_recent_sign_in: true, is_expensive: true, timeout_ms: 120_000 },
}
