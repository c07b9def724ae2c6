import type { BinRecord } from '@watchdesk/contract/bin'
import type { DeletableKind } from '@watchdesk/contract/records'
import { formatCount } from '../../ui/display/format.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'

export const KINDS: Record<DeletableKind, string> = {
  user: 'User',
  workspace: 'Workspace',
  dashboard: 'Dashboard',
  sheet: 'Sheet',
  source: 'Source',
}

export function keyOf({ kind, id }: Pick<BinRecord, 'kind' | 'id'>) {
  return `${kind} ${id}`
}

/** The users or workspaces that it returns with. */
export function contentsOf({ kind, users, workspaces }: BinRecord) {
  if (kind === 'workspace') return users === 0 ? 'No users' : `With ${formatCount(users, 'user')}`
  if (kind === 'dashboard') return workspaces === 0 ? 'In no workspace' : `In ${formatCount(workspaces, 'workspace')}`
  return undefined
}

export function removedIn({ days_left }: BinRecord) {
  if (days_left === 0) return 'any moment'
  return days_left === 1 ? 'within a day' : `in ${formatCount(days_left, 'day')}`
}

/** The page of a restored record. */
export function linkOf({ kind, id }: BinRecord) {
  const params = { id: String(id) }
  if (kind === 'user') return { to: '/users/$id/edit', params } as const
  if (kind === 'workspace') return { to: '/workspaces/$id', params } as const
  if (kind === 'sheet') return { to: '/sheets/$id', params } as const
  if (kind === 'source') return linkTo({ to: `/sources/${id}`, search: {} })
  return { to: '/dashboards/$id/edit', params } as const
}
