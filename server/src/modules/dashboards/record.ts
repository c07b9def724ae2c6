import { sql } from 'kysely'
import type { RecordFacts } from '../activity/record-kind.ts'

export const DASHBOARD = {
  kind: 'dashboard',
  table: 'powerbi_dashboards',
  name: sql`name`,
  bin: {
    detail: sql`nullif(description, '')`,
    workspaces: sql`(select count(*) from workspace_dashboards join workspaces on workspaces.id = workspace_id
      where dashboard_id = powerbi_dashboards.id and workspaces.deleted_at is null)`,
  },
} as const satisfies RecordFacts
