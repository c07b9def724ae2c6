import type { AuditAction, AuditEntity, AuditEvent } from '@watchdesk/contract/activity'
import type { SignInMethod } from '@watchdesk/contract/auth/session'
import type { ContentType, Platform, WorkspaceStatus } from '@watchdesk/contract/enums'
import type { RunStatus } from '@watchdesk/contract/narratives-vectorization'
import type { OperationKindName } from '@watchdesk/contract/operations/kinds'
import type { Operation, OperationState } from '@watchdesk/contract/operations/operations'
import type { ViewedList } from '@watchdesk/contract/saved-views'
import type { Sheet } from '@watchdesk/contract/sheets'
import type { UserFields } from '@watchdesk/contract/users'
import type { WebsiteConfig } from '@watchdesk/contract/website-config'
import type { Workspace } from '@watchdesk/contract/workspaces'
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** Columns of every entity: a version, who changed it last, and the soft delete. */
type Entity = {
  id: GeneratedAlways<number>
  version: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  updated_by: number | null
  deleted_at: Date | null
}

/** With the fields of the API. Auditors have a default in the database. */
type StoredUser = Entity & Omit<UserFields, 'is_auditor'>

type Json<Value extends object> = JSONColumnType<Value>

/** A second factor is missing, has to be set up, the provider has not answered, or the browser has not finished. */
export type PendingKind = 'second_factor' | 'set_up' | 'sso' | 'sso_done'

/**
 * The tables and columns that queries of Kysely use; others are only in SQL texts. Columns have the same names as the API
 * fields, so nothing needs to be renamed.
 */
export type Tables = {
  workspaces: Entity & {
    name: string
    description: string
    status: WorkspaceStatus | null
    trial_end_date: string | null
    analytical_quota: Json<Workspace['analytical_quota']>
    ai_quota: Json<Workspace['ai_quota']>
    /** The days of the month on which the quotas are renewed. Null: the days of their dates. */
    analytical_renewal_day: number | null
    ai_renewal_day: number | null
    config: Json<Omit<Workspace['config'], 'powerbi_dashboards'>>
  }
  users: StoredUser & {
    password_hash: string
    is_auditor: Generated<boolean>
    has_password: Generated<boolean>
    deleted_with_workspace: Generated<boolean>
    deleted_by_super_admin: Generated<boolean>
    full_name: GeneratedAlways<string>
  }
  powerbi_dashboards: Entity & {
    name: string
    description: string | null
    embed_link: string
  }
  workspace_dashboards: {
    workspace_id: number
    dashboard_id: number
    position: number
  }
  website_config: {
    values: Json<WebsiteConfig>
    version: Generated<number>
    updated_at: Generated<Date>
    updated_by: number | null
  }
  sessions: {
    token_hash: Buffer
    user_id: number
    created_at: Generated<Date>
    last_seen_at: Generated<Date>
    ip: string | null
    id: GeneratedAlways<number>
    method: Generated<SignInMethod>
    proved_at: Generated<Date>
    id_token: Buffer | null
  }
  /** See `modules/auth/session/pending.ts`. */
  pending_sign_ins: {
    token_hash: Buffer
    kind: PendingKind
    user_id: number | null
    data: ColumnType<Record<string, unknown>, string | undefined, string>
    expires_at: Date
  }
  authenticators: {
    user_id: number
    secret: Buffer | null
    new_secret: Buffer | null
    last_step: Generated<number>
  }
  passkeys: {
    id: GeneratedAlways<number>
    user_id: number
    credential_id: Buffer
    public_key: Buffer
    counter: number
    transports: string[]
    name: string
    created_at: Generated<Date>
    last_used_at: Date | null
    rp_id: string | null
  }
  passkey_challenges: {
    challenge: string
    purpose: 'sign_in' | 'second_factor' | 'new'
    user_id: number | null
    expires_at: Date
  }
  passkey_handles: {
    user_id: number
    handle: Buffer
  }
  recovery_codes: {
    user_id: number
    salt: Buffer
    code_hash: Buffer
    used_at: Date | null
  }
  api_tokens: {
    token_hash: Buffer
    id: GeneratedAlways<number>
    user_id: number
    name: string
    is_read_only: boolean
    created_at: Generated<Date>
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
  mail_limits: {
    used_until: Date
  }
  mails: {
    id: GeneratedAlways<number>
    kind: string
    email: string
    data: ColumnType<Record<string, unknown>, string | undefined, string>
    created_at: Generated<Date>
  }
  sso_accounts: {
    issuer: string
    subject: string
    user_id: number
  }
  account_notices: {
    id: GeneratedAlways<number>
    user_id: number
    at: Generated<Date>
  }
  failed_sign_ins: {
    email_hash: Buffer
    changed_at: Date
  }
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
  audit_once: {
    minute: Date
  }
  idempotency_keys: {
    actor_id: number
    call: string
    key: string
    request_hash: Buffer
    answer: JSONColumnType<object> | null
    created_at: Generated<Date>
  }
  sources: Entity & {
    platform: Platform
    url: string
    country: string | null
    created_by: number | null
    import_id: number | null
    /** The version in which it got its present content. Undoing a change puts back the former one. */
    content_version: Generated<number>
  }
  sheets: Entity & {
    title: string
    origin: Sheet['origin']
    header: string[]
    row_count: number
    outcomes: Json<NonNullable<Sheet['outcomes']>> | null
    created_by: number | null
    /** The shown set of rows. */
    rows_id: number
    /** The size of its cells. Null if that was not counted. */
    bytes: number | null
  }
  /** Never changes once its rows are complete. */
  row_sets: {
    id: Generated<number>
    header: string[]
    row_count: number
    outcomes: Json<NonNullable<Sheet['outcomes']>> | null
  }
  set_rows: {
    set_id: number
    number: number
  }
  operations: {
    id: GeneratedAlways<number>
    kind: OperationKindName
    state: OperationState
    name: string | null
    bytes: number | null
    platform: Platform | null
    sheet_url: string | null
    created_sheet_url: string | null
    counts: JSONColumnType<Operation['counts'], string | undefined, string>
    verification: Json<NonNullable<Operation['verification']>> | null
    error: string | null
    rows_id: number | null
    /** What only this kind of import has. */
    details: JSONColumnType<Record<string, unknown>, string | undefined, string>
    undoes_id: number | null
    is_undone: Generated<boolean>
    /** Its rows and what it changed are no longer kept. */
    is_purged: Generated<boolean>
    job_id: number | null
    created_at: Generated<Date>
    created_by: number | null
    created_by_name: string | null
    started_at: Date | null
    finished_at: Date | null
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
  jobs: {
    id: GeneratedAlways<number>
    kind: string
    state: Generated<OperationState>
    input: Json<object>
    progress: JSONColumnType<object, string | undefined, string>
    result: Json<object> | null
    error: string | null
    attempts: Generated<number>
    is_cancelled: Generated<boolean>
    leased_by: string | null
    created_by: number
    created_by_name: string
    ip: string | null
    created_at: Generated<Date>
    started_at: Date | null
    finished_at: Date | null
  }
  job_files: {
    job_id: number
    part: number
    bytes: Buffer
  }
  narratives: {
    id: number
    created_at: Generated<Date>
    created_by: number | null
    deleted_at: Date | null
  }
  stories: {
    id: GeneratedAlways<number>
    narrative_id: number
    message_composite_id: string
    story: string
    sentiment_score: number | null
    platform: Platform | null
    content_type: ContentType | null
    created_at: Generated<Date>
    deleted_at: Date | null
  }
  story_vectors: {
    story_id: number
    model: string
  }
  vectorization_runs: {
    id: GeneratedAlways<number>
    execution_date: Date
    narrative_id: number
    platforms: Platform[]
    content_types: ContentType[]
    model: string
    status: Generated<RunStatus>
    runner: 'server' | 'airflow'
    dag_run_id: string | null
    stories_count: number | null
    done_count: Generated<number>
    last_story_id: Generated<number>
    attempts: Generated<number>
    error: string | null
    leased_by: string | null
    created_by: number | null
    created_by_name: string | null
    created_at: Generated<Date>
    started_at: Date | null
    finished_at: Date | null
  }
  saved_views: {
    id: GeneratedAlways<number>
    user_id: number
    list: ViewedList
    name: string
    query: string
  }
  secret_key_check: {
    id: Generated<number>
    sealed: Buffer
  }
  list_columns: {
    user_id: number
    list: ViewedList
    columns: string[]
  }
}

const READ_AND_WRITE = ['select', 'insert', 'update', 'delete']
/** What the server does with its tables. Others in the same database, such as those of an extension, are ignored. */
export const RIGHTS: Record<string, string[]> = {
  schema_migrations: ['select'],
  account_notices: READ_AND_WRITE,
  api_tokens: READ_AND_WRITE,
  audit_events: ['select', 'insert'],
  audit_once: READ_AND_WRITE,
  authenticators: READ_AND_WRITE,
  daily_totals: ['select', 'insert', 'update'],
  failed_sign_ins: READ_AND_WRITE,
  idempotency_keys: READ_AND_WRITE,
  operations: READ_AND_WRITE,
  job_files: READ_AND_WRITE,
  jobs: READ_AND_WRITE,
  // Written by triggers, with the rights of the owner.
  list_changes: ['select', 'delete'],
  list_columns: READ_AND_WRITE,
  list_totals: ['select', 'update'],
  mail_limits: READ_AND_WRITE,
  mails: READ_AND_WRITE,
  narratives: READ_AND_WRITE,
  one_time_links: READ_AND_WRITE,
  operation_changes: READ_AND_WRITE,
  passkey_challenges: READ_AND_WRITE,
  passkey_handles: READ_AND_WRITE,
  passkeys: READ_AND_WRITE,
  pending_sign_ins: READ_AND_WRITE,
  powerbi_dashboards: READ_AND_WRITE,
  recovery_codes: READ_AND_WRITE,
  saved_views: READ_AND_WRITE,
  secret_key_check: READ_AND_WRITE,
  sessions: READ_AND_WRITE,
  sign_ins: READ_AND_WRITE,
  row_sets: READ_AND_WRITE,
  set_rows: READ_AND_WRITE,
  sheets: READ_AND_WRITE,
  sources: READ_AND_WRITE,
  sso_accounts: READ_AND_WRITE,
  stories: READ_AND_WRITE,
  story_vectors: READ_AND_WRITE,
  users: READ_AND_WRITE,
  vectorization_runs: READ_AND_WRITE,
  website_config: READ_AND_WRITE,
  workspace_dashboards: READ_AND_WRITE,
  workspaces: READ_AND_WRITE,
}

/** Functions that do what the server's role may not do itself. */
export const FUNCTIONS = ['purge_audit_events(integer)']
