import type { DashboardsChange, UsersChange, WorkspacesChange } from '@watchdesk/contract/operations/changes'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../actor.ts'
import type { Db, Trx } from '../../../db/open.ts'
import type { Env } from '../../../env.ts'
import { asChanged } from '../many-rows.ts'

type Sql = RawBuilder<unknown>

export type BulkBody = UsersChange | WorkspacesChange | DashboardsChange

/** Only an undo restores. */
export type BulkAction = BulkBody['action'] | 'restore'

/** Others concern what belongs to a record, and leave the record as it is, so that nothing can be undone. */
export function changesRecords(action: BulkAction) {
  return action === 'update' || action === 'delete' || action === 'restore'
}

export type Fields = Record<string, unknown>

export type BulkRow = {
  id: number
  version: number
  name: string
  /** What distinguishes it from others of the same name. */
  detail: string | null
  /** Whose admins see its events. */
  workspace_id: number | null
  is_live: boolean
  updated_at: string
  updated_by: { id: number; name: string } | null
  /** Those that can be changed, with the names and values of the audit log. */
  fields: Fields
  /** What the operation that is undone has kept of it. */
  kept: { before: Fields | null; after: Fields } | null
}

export type PlannedChange<Row extends BulkRow = BulkRow> = { row: Row; action: BulkAction; after: Fields }

export type Verdict = {
  refusal?: string | undefined
  needsRecentSignIn?: boolean
  /** What else happens with it, for `apply` and `finish`. */
  marks?: string[]
  /** A text that differs if something else than in the preview would happen. By default, its id. */
  identity?: string
}

/** Counts what happens besides the change of the records. */
export type Tally<Row extends BulkRow = BulkRow> = {
  add(wanted: PlannedChange<Row>, marks: string[]): void
  /** Rows that change with the records, for the choice between a call and a job. */
  others?(): number
  notes(): string[]
}

/** Everything that an action is, besides its rules, which `evaluate` asks. */
export type ActionOnMany<Body = BulkBody, Row extends BulkRow = BulkRow> = {
  /** 'Unlock' and 'Unlocked', before the number of records, and 'unlocked' in the row of each. */
  verbs?: { now: string; done: string; row: string }
  /** All of the words, for an update: 'Moved 12 users to Atlas Media'. */
  words?(db: Db, body: Body, count: number, isDone: boolean): Promise<string>
  hasEffect?(row: Row): boolean
  /** Locks what has to be locked before the records. True if the records have to be locked before all else too. */
  lockBefore?(trx: Trx, ids: number[], body?: Body): Promise<boolean>
  /** The records' own changes in the event of each. */
  eventChanges?: Sql
  /** Writes the events of what changes with the records, as parts of their events. */
  auditMore?(trx: Trx, actor: Actor, event_id: number): Promise<void>
  notify?(trx: Trx, env: Pick<Env, 'SMTP_URL'>, actor: Actor): Promise<void>
  /** Changes the records of a range that are still of the same version. Returns how many. Without it, `finish` does all. */
  apply?(trx: Trx, actor: Actor, range: Range, change: Applied): Promise<number>
  finish?(trx: Trx): Promise<unknown>
}

/** How many records of a kind are changed at once, by the same rules as a single one. */
export type BulkKind<Body extends BulkBody = BulkBody, Row extends BulkRow = BulkRow> = {
  /** In the audit log: the change of many, and the part of each record. */
  entities: { many: 'users' | 'workspaces' | 'dashboards'; one: 'user' | 'workspace' | 'dashboard' }
  table: 'users' | 'workspaces' | 'powerbi_dashboards'
  detailColumn?: string
  actions: Partial<Record<BulkAction, ActionOnMany<Body, Row>>>
  /** Live records that the body chooses. */
  matches(actor: Actor, body: Body): Sql
  /** Columns of `BulkRow`, but for those that all kinds have in common. */
  columns: Sql
  update(row: Row, body: Body): Fields
  /** Of what an update sets under another name: the field that it changes. */
  fieldOf?: Record<string, string>
  evaluate(db: Db, actor: Actor, wanted: PlannedChange<Row>[], body: Body | undefined): Promise<Verdict[]>
  /** Throws if a value of the body does not exist. */
  check?(db: Db, body: Body): Promise<void>
  tally(body: Body): Tally<Row>
  /** Selects a row for each row of a table that an undo changes, if these are not the records alone. */
  countedChanges?(changes: Sql): Sql
}

export function actionOf(kind: BulkKind, action: BulkAction): ActionOnMany {
  const found = kind.actions[action]
  if (!found) throw new Error(`There is no ${action} of many ${kind.entities.many}`)
  return found
}

/** 'Deleted 12 users', or 'Delete …' before it is done. */
export async function wordsOf(db: Db, kind: BulkKind, body: BulkBody, count: number, isDone: boolean) {
  const { verbs, words } = actionOf(kind, body.action)
  const { one, many } = kind.entities
  return (await words?.(db, body, count, isDone)) ?? `${isDone ? verbs?.done : verbs?.now} ${number(count, one, many)}`
}

export type Applied = { event_id: number; fields: string[] }

/** Places in `chosen`, from the first, up to and without the second. */
export type Range = { from: number; to: number }

export function inRange({ from, to }: Range) {
  return sql`chosen.place >= ${from} and chosen.place < ${to}`
}

export async function edit(trx: Trx, actor: Actor, table: BulkKind['table'], range: Range, setting: Sql[]) {
  const version = sql.ref(`${table}.version`)
  const edited = sql`version = ${version} + 1, updated_at = now(), updated_by = ${actor.id}::int`
  const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.join([...setting, edited])} from chosen
    where ${inRange(range)} and ${sql.ref(`${table}.id`)} = chosen.id and ${version} = chosen.version`
    .execute(trx)
    .catch(asChanged)
  return Number(numAffectedRows ?? 0)
}

/** Sets the fields that change in any record of `chosen`: in the others, they stay. `values` has what they get. */
export function settingOf(table: string, values: Record<string, Sql>, fields: string[]) {
  return fields.flatMap((field) => {
    const value = values[field]
    if (!value) return []
    const isChanged = sql`chosen.changes ? ${sql.lit(field)}`
    return [sql`${sql.ref(field)} = case when ${isChanged} then ${value} else ${sql.ref(`${table}.${field}`)} end`]
  })
}

/** The value that a field of `chosen` gets, as text. Null if it does not change, or becomes null. */
export function after(field: string) {
  return sql`(chosen.changes -> ${sql.lit(field)} ->> 'after')`
}

export function isMarked(mark: string) {
  return sql`(chosen.place is not null and ${mark} = any(chosen.marks))`
}

export function number(count: number, one: string, many = `${one}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
