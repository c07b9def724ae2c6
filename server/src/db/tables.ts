import type { AuditAction, AuditEntity, AuditEvent } from '@watchdesk/contract/activity'
import type { SignInMethod } from '@watchdesk/contract/auth/session'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { ContentType, Platform } from '@watchdesk/contract/enums'
import type { Run } from '@watchdesk/contract/narratives-vectorization'
import type { Operation, OperationState } from '@watchdesk/contract/operations/operations'
import type { SavedView, ViewedList } from '@watchdesk/contract/saved-views'
import type { Sheet } from '@watchdesk/contract/sheets'
import type { Source } from '@watchdesk/contract/source-row'
import type { UserFields } from '@watchdesk/contract/users'
import type { WebsiteConfig } from '@watchdesk/contract/website-config'
import type { Workspace } from '@watchdesk/contract/workspaces'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'

type Row = { id: GeneratedAlways<number>; created_at: Generated<Date> }

type Versioned = { version: Generated<number>; updated_at: Generated<Date>; updated_by: number | null }

type Entity = Row & Versioned & { deleted_at: Date | null }

type Work = Row & {
  error: string | null
  created_by: number | null
  created_by_name: string | null
  started_at: Date | null
  finished_at: Date | null
}

/** Work that a server leases: see `leases.ts`. */
type LeasedWork = Work & { attempts: Generated<number>; leased_by: string | null }

type Json<Value extends object> = JSONColumnType<Value>

/** An object that is empty by default. */
type Details<Value extends object = Record<string, unknown>> = JSONColumnType<Value, string | undefined, string>

type RowSet = {
  header: string[]
  row_count: number
  outcomes: Json<NonNullable<Sheet['outcomes']>> | null
}

/** A second factor is missing, has to be set up, the provider has not answered, or the browser has not finished. */
export type PendingKind = 'second_factor' | 'set_up' | 'sso' | 'sso_done'

/** What queries of Kysely use. Other tables and columns are only in SQL texts. */
export type Tables = {
  workspaces: Entity &
    Pick<Workspace, 'name' | 'description' | 'status' | 'trial_end_date'> & {
      analytical_quota: Json<Workspace['analytical_quota']>
      ai_quota: Json<Workspace['ai_quota']>
      /** The days of the month on which the quotas are renewed. Null: the days of their dates. */
      analytical_renewal_day: number | null
      ai_renewal_day: number | null
      config: Json<Omit<Workspace['config'], 'powerbi_dashboards'>>
    }
  users: Entity &
    Omit<UserFields, 'is_auditor'> & {
      password_hash: string
      is_auditor: Generated<boolean>
      has_password: Generated<boolean>
      deleted_with_workspace: Generated<boolean>
      deleted_by_super_admin: Generated<boolean>
      full_name: GeneratedAlways<string>
    }
  powerbi_dashboards: Entity & Pick<Dashboard, 'name' | 'description' | 'embed_link'>
  workspace_dashboards: { workspace_id: number; dashboard_id: number; position: number }
  website_config: Versioned & { values: Json<WebsiteConfig> }
  sessions: Row & {
    token_hash: Buffer
    user_id: number
    last_seen_at: Generated<Date>
    ip: string | null
    method: Generated<SignInMethod>
    proved_at: Generated<Date>
    id_token: Buffer | null
  }
  pending_sign_ins: {
    token_hash: Buffer
    kind: PendingKind
    user_id: number | null
    data: Details
    expires_at: Date
  }
  authenticators: {
    user_id: number
    secret: Buffer | null
    new_secret: Buffer | null
    last_step: Generated<number>
  }
  passkeys: Row & {
    user_id: number
    credential_id: Buffer
    public_key: Buffer
    counter: number
    transports: string[]
    name: string
    last_used_at: Date | null
    rp_id: string | null
  }
  passkey_challenges: {
    challenge: string
    purpose: 'sign_in' | 'second_factor' | 'new'
    user_id: number | null
    expires_at: Date
  }
  passkey_handles: { user_id: number; handle: Buffer }
  recovery_codes: {
    user_id: number
    salt: Buffer
    code_hash: Buffer
  }
  api_tokens: Row & {
    token_hash: Buffer
    user_id: number
    name: string
    is_read_only: boolean
    expires_at: Date
    last_seen_at: Date | null
  }
  one_time_links: {
    user_id: number
    kind: 'invitation' | 'password' | 'forgotten' | 'sign_in'
    token_hash: Buffer
    created_by: number | null
    created_at: Generated<Date>
    expires_at: Date
  }
  mails: Row & { kind: string; email: string; data: Details }
  sso_accounts: { issuer: string; subject: string; user_id: number }
  account_notices: { id: GeneratedAlways<number>; user_id: number; at: Generated<Date> }
  failed_sign_ins: { email_hash: Buffer; changed_at: Date }
  audit_events: {
    id: GeneratedAlways<number>
    at: Generated<Date>
    actor_id: number | null
    actor_name: string | null
    action: AuditAction
    entity: AuditEntity
    entity_id: number | null
    changes: Json<AuditEvent['changes']>
    ip: string | null
    record_name: string | null
    record_detail: string | null
    workspace_id: number | null
    version: number | null
    parent_id: number | null
    is_nested: Generated<boolean>
  }
  idempotency_keys: {
    actor_id: number
    call: string
    key: string
    request_hash: Buffer
    answer: JSONColumnType<object> | null
    created_at: Generated<Date>
  }
  sources: Entity &
    Source & {
      created_by: number | null
      import_id: number | null
      /** The version in which it got its present content. Undoing a change puts back the former one. */
      content_version: Generated<number>
    }
  sheets: Entity &
    RowSet &
    Pick<Sheet, 'title' | 'origin'> & {
      created_by: number | null
      /** The shown set of rows. */
      rows_id: number
      /** The size of its cells. Null if that was not counted. */
      bytes: number | null
    }
  /** Never changes once its rows are complete. */
  row_sets: RowSet & { id: Generated<number> }
  set_rows: { set_id: number; number: number }
  operations: Work &
    Pick<Operation, OperationField> & {
      counts: Details<Operation['counts']>
      verification: Json<NonNullable<Operation['verification']>> | null
      rows_id: number | null
      details: Details
      undoes_id: number | null
      is_undone: Generated<boolean>
      /** Its rows and what it changed are no longer kept. */
      is_purged: Generated<boolean>
      job_id: number | null
    }
  /** What an import, or an undo, has replaced. What it added follows from the records, if these have its id. */
  operation_changes: {
    operation_id: number
    entity: 'sources' | 'stories' | 'sheet' | 'users' | 'workspaces' | 'dashboards'
    record_id: number
    /** The content that an undo puts back. Null if the import added the record. */
    before: Json<object> | null
    /** What identifies the content that the import left: if the record has another one, it changed since. */
    after: Json<object>
  }
  jobs: LeasedWork & {
    kind: string
    state: Generated<OperationState>
    input: Json<object>
    progress: Details<object>
    result: Json<object> | null
    is_cancelled: Generated<boolean>
    created_by: number
    created_by_name: string
    ip: string | null
  }
  job_files: { job_id: number; part: number; bytes: Buffer }
  narratives: { id: number; created_at: Generated<Date>; created_by: number | null; deleted_at: Date | null }
  stories: Row & {
    narrative_id: number
    message_composite_id: string
    story: string
    sentiment_score: number | null
    platform: Platform | null
    content_type: ContentType | null
    deleted_at: Date | null
  }
  story_vectors: { story_id: number; model: string }
  vectorization_runs: LeasedWork &
    Pick<Run, RunField> & {
      execution_date: Date
      status: Generated<Run['status']>
      dag_run_id: string | null
      done_count: Generated<number>
      last_story_id: Generated<number>
    }
  saved_views: SavedView & { id: GeneratedAlways<number>; user_id: number }
  secret_key_check: { id: Generated<number>; sealed: Buffer }
  list_columns: { user_id: number; list: ViewedList; columns: string[] }
}

type OperationField = 'kind' | 'state' | 'name' | 'bytes' | 'platform' | 'sheet_url' | 'created_sheet_url'
type RunField = 'narrative_id' | 'platforms' | 'content_types' | 'model' | 'runner' | 'stories_count'

const READ_AND_WRITE = ['select', 'insert', 'update', 'delete']
const READ_AND_WRITTEN = `
  account_notices api_tokens audit_once authenticators failed_sign_ins idempotency_keys job_files jobs list_columns
  mail_limits mails narratives one_time_links operation_changes operations passkey_challenges passkey_handles passkeys
  pending_sign_ins powerbi_dashboards recovery_codes row_sets saved_views secret_key_check sessions set_rows sheets sign_ins
  sources sso_accounts stories story_vectors users vectorization_runs website_config workspace_dashboards workspaces`

/** What the server does with its tables. Others in the same database, such as those of an extension, are ignored. */
export const RIGHTS: Record<string, string[]> = {
  ...Object.fromEntries(
    READ_AND_WRITTEN.trim()
      .split(/\s+/)
      .map((table) => [table, READ_AND_WRITE]),
  ),
  schema_migrations: ['select'],
  audit_events: ['select', 'insert'],
  daily_totals: ['select', 'insert', 'update'],
  // Written by triggers, with the rights of the owner.
  list_changes: ['select', 'delete'],
  list_totals: ['select', 'update'],
}

/** Functions that do what the server's role may not do itself. */
export const FUNCTIONS = ['purge_audit_events(integer)']
