import type { AuditAction, AuditEntity, AuditEvent } from '@watchdesk/contract/audit'
import type { Language, UserType, WorkspaceStatus } from '@watchdesk/contract/enums'
import type { WebsiteConfig } from '@watchdesk/contract/website-config'
import type { Workspace } from '@watchdesk/contract/workspaces'
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** Columns have the names of the wire, so nothing is renamed on the way. */
export type Tables = {
  workspaces: WorkspacesTable
  users: UsersTable
  powerbi_dashboards: DashboardsTable
  workspace_dashboards: WorkspaceDashboardsTable
  website_config: WebsiteConfigTable
  sessions: SessionsTable
  login_failures: LoginFailuresTable
  audit_events: AuditEventsTable
  row_counts: RowCountsTable
}

type Time = ColumnType<Date, Date | undefined, Date>

/** What every entity carries: a version, who changed it last, and the mark of a soft delete. */
type Entity = {
  id: GeneratedAlways<number>
  version: Generated<number>
  created_at: Generated<Date>
  updated_at: Time
  updated_by: number | null
  deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>
}

type Json<Value extends object> = JSONColumnType<Value>

export type WorkspacesTable = Entity & {
  name: string
  description: string
  status: WorkspaceStatus | null
  trial_end_date: string | null
  analytical_quota: Json<Workspace['analytical_quota']>
  ai_quota: Json<Workspace['ai_quota']>
  config: Json<Omit<Workspace['config'], 'powerbi_dashboards'>>
  search_text: GeneratedAlways<string>
}

export type UsersTable = Entity & {
  workspace_id: number
  first_name: string
  last_name: string
  email: string
  password_hash: string
  is_admin: boolean
  is_super_admin: boolean
  type: UserType
  language: Language
  deleted_with_workspace: Generated<boolean>
  full_name: GeneratedAlways<string>
  search_text: GeneratedAlways<string>
}

type DashboardsTable = Entity & {
  name: string
  description: string | null
  embed_link: string
}

type WorkspaceDashboardsTable = {
  workspace_id: number
  dashboard_id: number
  position: number
}

type WebsiteConfigTable = {
  only_row: Generated<boolean>
  values: Json<WebsiteConfig>
  version: Generated<number>
  updated_at: Time
  updated_by: number | null
}

type SessionsTable = {
  token_hash: Buffer
  user_id: number
  created_at: Generated<Date>
  last_seen_at: Generated<Date>
  ip: string | null
  user_agent: string | null
}

type LoginFailuresTable = {
  email: string
  failures: number
  pending: number
  changed_at: Date
}

type AuditEventsTable = {
  id: GeneratedAlways<number>
  at: Generated<Date>
  actor_id: number | null
  actor_name: string | null
  action: AuditAction
  entity: AuditEntity
  entity_id: number | null
  changes: Json<AuditEvent['changes']>
  ip: string | null
}

type RowCountsTable = {
  table_name: string
  shard: number
  live: number
}
