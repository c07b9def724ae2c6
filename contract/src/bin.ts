import type * as schema from './bin.schema.ts'
import { get, getList, post } from './endpoint.ts'
import type { ListOptions } from './list.ts'

export type * from './bin.schema.ts'

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

export const listBin = getList<typeof schema.listBin, typeof binList>('/api/v1/bin/', 'workspace_admin', binList)
export const listEmailClashes = get<typeof schema.listEmailClashes>('/api/v1/bin/workspaces/:id/clashes', 'super_admin')

export const restoreFromBin = post<typeof schema.restoreFromBin>('/api/v1/bin/restore', 'workspace_admin', {
  is_expensive: true,
  // A workspace returns with all of its users, however many there are.
  timeout_ms: 300_000,
})

export const removeFromBin = post<typeof schema.removeFromBin>('/api/v1/bin/remove', 'super_admin', {
  needs_recent_sign_in: true,
  is_expensive: true,
  timeout_ms: 120_000,
})
