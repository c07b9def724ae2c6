import type * as schema from './bin.schema.ts'
import { get, getList, post } from './endpoint.ts'
import type { ListOptions } from './list.ts'
import { DELETABLE_KINDS } from './records.ts'

export type * from './bin.schema.ts'

export const binList = {
  search: 'Search name, email or address',
  filters: {
    kind: { label: 'Kind', placeholder: 'All kinds', options: DELETABLE_KINDS },
  },
} as const satisfies ListOptions

export const listBin = getList<typeof schema.listBin>('/bin/', 'workspace_admin', binList)
export const listEmailClashes = get<typeof schema.listEmailClashes>('/bin/workspaces/:id/clashes', 'super_admin')

export const restoreFromBin = post<typeof schema.restoreFromBin>('/bin/restore', 'workspace_admin', {
  is_expensive: true,
  // A workspace returns with all of its users, however many there are.
  timeout_ms: 300_000,
})

export const removeFromBin = post<typeof schema.removeFromBin>('/bin/remove', 'super_admin', {
  needs_recent_sign_in: true,
  is_expensive: true,
  timeout_ms: 120_000,
})
