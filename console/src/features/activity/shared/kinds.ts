import type { AuditEntity } from '@watchdesk/contract/audit'

export const ENTITY_LABELS: Record<AuditEntity, string> = {
  user: 'Users',
  workspace: 'Workspaces',
  dashboard: 'Dashboards',
  website_config: 'Website config',
  session: 'Sign-ins',
  source: 'Single sources',
  sources: 'Imports and exports of sources',
  users: 'Bulk changes of users',
  workspaces: 'Bulk changes of workspaces',
  dashboards: 'Bulk changes of dashboards',
  sheet: 'Sheets',
  stories: 'Stories',
  vectorization: 'Vectorization runs',
  bin: 'Bin',
  activity: 'Activity',
  call: 'Rejected calls',
}
