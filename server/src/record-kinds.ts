import { DashboardUpdate } from '@watchdesk/contract/dashboards.schema'
import { SourceUpdate } from '@watchdesk/contract/sources.schema'
import { fieldsOf, type RecordKinds } from './modules/activity/record-kind.ts'
import { DASHBOARD } from './modules/dashboards/record.ts'
import { dashboardsStore } from './modules/dashboards/store.ts'
import { SHEET, sheetsStore } from './modules/sheets/store.ts'
import { SOURCE, sourcesStore } from './modules/sources/store.ts'
import { userFields } from './modules/users/earlier-fields.ts'
import { USER } from './modules/users/record.ts'
import { usersStore } from './modules/users/store.ts'
import { websiteConfigFields } from './modules/website-config/earlier-fields.ts'
import { workspaceFields } from './modules/workspaces/earlier-fields.ts'
import { WORKSPACE } from './modules/workspaces/record.ts'
import { workspacesStore } from './modules/workspaces/store.ts'

export const RECORD_KINDS: RecordKinds = {
  deletable: {
    workspace: { ...WORKSPACE, store: workspacesStore, fields: workspaceFields },
    dashboard: {
      ...DASHBOARD,
      store: dashboardsStore,
      fields: (deps) => fieldsOf(DashboardUpdate, dashboardsStore(deps)),
    },
    // Users can only return to a workspace that exists.
    user: { ...USER, store: usersStore, fields: userFields },
    sheet: { ...SHEET, store: sheetsStore },
    source: { ...SOURCE, store: sourcesStore, fields: (deps) => fieldsOf(SourceUpdate, sourcesStore(deps)) },
  },
  website_config: { fields: websiteConfigFields },
}
