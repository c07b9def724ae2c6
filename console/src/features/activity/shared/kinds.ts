import type { AuditEntity } from '@watchdesk/contract/audit'

/** Alone in this file, because the router needs it for every page. */
export const ENTITY_LABELS: Record<AuditEntity, string> = {
  user: 'Users',
  workspace: 'Workspaces',
  dashboard: 'Dashboards',
  website_config: 'Website config',
  session: 'Sign-ins',
  sources: 'Sources',
  sheet: 'Sheets',
  stories: 'Stories',
  vectorization: 'Vectorization runs',
  bin: 'Bin',
  activity: 'Activity',
  call: 'Rejected calls',
}
