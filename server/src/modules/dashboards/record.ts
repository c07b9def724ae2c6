import { sql } from 'kysely'
import type { RecordFacts } from '../activity/record-kind.ts'

/** Few workspaces are deleted, so that these are subtracted: counting the others would read them all. */
const WORKSPACES_COUNT = sql<number>`(
  (select count(*) from workspace_dashboards where dashboard_id = powerbi_dashboards.id) -
  (select count(*) from workspaces join workspace_dashboards on workspace_id = workspaces.id
    where dashboard_id = powerbi_dashboards.id and workspaces.deleted_at is not null))`

export const workspacesCount = WORKSPACES_COUNT.as('workspaces_count')

export const DASHBOARD = {
  kind: 'dashboard',
  table: 'powerbi_dashboards',
  name: sql`name`,
  bin: {
    detail: sql`nullif(description, '')`,
    workspaces: WORKSPACES_COUNT,
  },
} as const satisfies RecordFacts
