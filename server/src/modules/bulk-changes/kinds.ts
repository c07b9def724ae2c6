import { dashboardsKind } from './dashboards.ts'
import type { BulkKind, BulkName } from './kind.ts'
import { usersKind } from './users.ts'
import { workspacesKind } from './workspaces.ts'

export const BULK_KINDS: { [Name in BulkName]: BulkKind<Name> } = {
  users_change: usersKind,
  workspaces_change: workspacesKind,
  dashboards_change: dashboardsKind,
}
