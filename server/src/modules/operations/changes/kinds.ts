import { dashboardsChange } from '../../dashboards/change-kind.ts'
import { usersChange } from '../../users/change-kind.ts'
import { workspacesChange } from '../../workspaces/change-kind.ts'
import type { BulkKind, BulkName } from './kind.ts'

export const BULK_KINDS: { [Name in BulkName]: BulkKind<Name> } = {
  users_change: usersChange,
  workspaces_change: workspacesChange,
  dashboards_change: dashboardsChange,
}
