import type { Catalog } from './modules/catalog/catalog.ts'
import { dashboardsChange } from './modules/dashboards/change-kind.ts'
import { changeOfMany } from './modules/operations/changes/change.ts'
import type { OperationKinds } from './modules/operations/kind.ts'
import { undo } from './modules/operations/undo.ts'
import { sheetReplacement } from './modules/sheets/kind.ts'
import { sourceImport } from './modules/source-import/store.ts'
import { platformImport } from './modules/source-management/store.ts'
import { sourcesChange } from './modules/sources/change.ts'
import { sourcesExport } from './modules/sources/export.ts'
import { storiesImport } from './modules/stories-import/kind.ts'
import { usersChange } from './modules/users/change-kind.ts'
import { usersImport } from './modules/users-import/store.ts'
import { workspacesChange } from './modules/workspaces/change-kind.ts'

export function operationKinds(catalog: Catalog): OperationKinds {
  return {
    source_import: sourceImport,
    platform_import: platformImport,
    export: sourcesExport,
    stories_import: storiesImport,
    sheet_replacement: sheetReplacement,
    sources_change: sourcesChange,
    users_change: changeOfMany(usersChange),
    workspaces_change: changeOfMany(workspacesChange(catalog)),
    dashboards_change: changeOfMany(dashboardsChange),
    users_import: usersImport,
    undo,
  }
}
