import type { DashboardsChange, UsersChange, WorkspacesChange } from '@watchdesk/contract/bulk-changes'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Env } from '../../env.ts'

type Sql = RawBuilder<unknown>

/** The changes of each kind of records, by the kind of their import and job. */
export type Bodies = {
  users_change: UsersChange
  workspaces_change: WorkspacesChange
  dashboards_change: DashboardsChange
}
export type BulkName = keyof Bodies
export type BulkBody<Name extends BulkName = BulkName> = Bodies[Name]

/** What is done to each record. Only an undo restores. */
export type BulkAction = 'update' | 'delete' | 'restore' | 'end_sessions' | 'unlock'

/** What the caller saw in the preview. */
export type Expected = {
  expected_count: number
  expected_changed_count: number
  expected_checksum?: string | undefined
}

/** What a change did, in numbers, for notes and for the choice between a call and a job. */
export type Facts = Record<string, number>

/** How many records of a kind are changed at once. Expressions are about a row of its table. */
export type BulkKind<Name extends BulkName = BulkName> = {
  name: Name
  /** In the audit log: the change of many, and the part of each record. */
  entities: { many: 'users' | 'workspaces' | 'dashboards'; one: 'user' | 'workspace' | 'dashboard' }
  table: 'users' | 'workspaces' | 'powerbi_dashboards'
  /** The name of a record, and what distinguishes it from others. */
  record: { name: Sql; detail: Sql; detailColumn: string | null }
  /** Live records that the body chooses. */
  matches(actor: Actor, body: Bodies[Name]): Sql
  /** All fields that can be changed, as a JSON object with the names and values of the audit log. */
  current: Sql
  /** The new values of the fields that the body sets, in the same form. */
  wanted(body: Bodies[Name]): Sql
  /** Whether an action other than an update has an effect. */
  hasEffect(action: BulkAction): Sql
  /** Why the change is not allowed, or null. `wanted.changes` has the fields with their values before and after. */
  refusal(actor: Actor, action: BulkAction, body?: Bodies[Name]): Sql
  /** Whether the change of a record, with its fields in `wanted.changes`, needs a recent sign-in. */
  isDangerous?(action: BulkAction): Sql
  /** A text that differs if something else than in the preview would happen to a record. By default, its id. */
  identity?(action: BulkAction): Sql
  /** The workspace whose admins see the event of a record, after the change. */
  workspace_id: Sql
  /** Throws if a value of the body does not exist. */
  check(db: Db, body: Bodies[Name]): Promise<void>
  /** Numbers about the records in `judged` that change, as a select with one row. */
  facts(action: BulkAction, body: Bodies[Name]): Sql
  /** What else happens, in words. */
  notes(facts: Facts, body: Bodies[Name]): string[]
  /** Locks what has to be locked before the records. True if the records have to be locked before all else too. */
  lockBefore?(trx: Trx, action: BulkAction, ids: Sql, body?: Bodies[Name]): Promise<boolean>
  /** The records' own changes in the event of each. */
  eventChanges?(action: BulkAction): Sql
  /** Writes the events of what changes with the records, as parts of their events. */
  auditMore?(trx: Trx, actor: Actor, action: BulkAction, event_id: number): Promise<void>
  /**
   * Changes the records of `chosen` between two places, whose rows are locked, if they are still of the same version.
   * `fields` are those that an update changes. Returns how many were changed.
   */
  apply(trx: Trx, actor: Actor, action: BulkAction, range: Range, fields: string[]): Promise<number>
  /** Selects a row for each row of a table that an undo changes, if these are not the records alone. */
  countedChanges?(changes: Sql): Sql
  /** Notifies the people concerned, before the records are changed. */
  notify?(trx: Trx, env: Pick<Env, 'SMTP_URL'>, actor: Actor, action: BulkAction): Promise<void>
  /** After all records were changed. */
  finish?(trx: Trx, actor: Actor, action: BulkAction): Promise<void>
  /** 'Moved 12 users to Atlas Media'. */
  words(db: Db, body: Bodies[Name], count: number, isDone: boolean): Promise<string>
}

/** Places in `chosen`, from the first, up to and without the second. */
export type Range = { from: number; to: number }

export function inRange({ from, to }: Range) {
  return sql`chosen.place >= ${from} and chosen.place < ${to}`
}

/** The value that a field gets, as text. Null if it does not change, or becomes null. */
export function after(field: string, changes: Sql = sql`wanted.changes`) {
  return sql`(${changes} -> ${sql.lit(field)} ->> 'after')`
}

/** Whether a field changes. */
export function changes(field: string, of: Sql = sql`wanted.changes`) {
  return sql`(${of} ? ${sql.lit(field)})`
}

export function number(count: number, one: string, many = `${one}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
