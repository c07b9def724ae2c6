import type { AuditAction, AuditEvent } from '@watchdesk/contract/activity'
import type { DeletableKind } from '@watchdesk/contract/records'
import { type RawBuilder, type Selectable, sql, type UpdateObject } from 'kysely'
import type { Actor } from '../actor.ts'
import { found } from '../problem.ts'
import { type Author, audit } from './audit.ts'
import { checkVersion, editedBy } from './entity.ts'
import type { Trx } from './open.ts'
import type { Tables } from './tables.ts'

type Sql = RawBuilder<unknown>

/** A table of records that can be deleted, with what their events say about them: see `AuditedRecord`. */
export type RecordTable<Table extends keyof Tables = keyof Tables> = {
  kind: DeletableKind
  table: Table
  name: Sql
  detail?: Sql
  workspace_id?: Sql
  /** What a delete or a restore sets besides. */
  alsoSet?: (actor: Actor, isDeleted: boolean) => Record<string, unknown>
}

type RecordFields = {
  id: number
  name: string
  detail: string | null
  workspace_id: number | null
  version: number
  updated_at: Date
  updated_by: number | null
}

export async function lockRecord<Table extends keyof Tables>(
  trx: Trx,
  of: RecordTable<Table>,
  id: number,
  ifMatch?: string,
) {
  const { kind } = of
  const label = `${kind[0]?.toUpperCase()}${kind.slice(1)}`
  const record = found(await lock(trx, of, sql`id = ${id} and deleted_at is null`), label)
  await checkVersion(trx, kind, record, ifMatch)
  return record
}

export async function lockDeletedRecord(trx: Trx, of: RecordTable, id: number): Promise<RecordFields> {
  return found(await lock(trx, of, sql`id = ${id} and deleted_at is not null`), `Deleted ${of.kind}`)
}

/** Not its key: others may list it while this waits for a record that they hold. */
async function lock<Table extends keyof Tables>(trx: Trx, of: RecordTable<Table>, which: Sql) {
  const { table, name, detail = sql`null`, workspace_id = sql`null` } = of
  const { rows } = await sql<RecordFields & Selectable<Tables[Table]>>`select *, ${name} as name,
      ${detail}::text as detail, ${workspace_id}::int as workspace_id
    from ${sql.table(table)} where ${which} for no key update`.execute(trx)
  return rows[0]
}

type Changes = AuditEvent['changes']
type Recorded = Pick<RecordFields, 'id' | 'name' | 'version'> & Partial<Pick<RecordFields, 'detail' | 'workspace_id'>>
type Edit = { action?: AuditAction; changes?: Changes; parent_id?: number }

/** Of a locked record, with the name that it has afterwards. Returns the id of the event, as the next two do. */
export async function editRecord<Table extends keyof Tables>(
  trx: Trx,
  actor: Author,
  { kind, table }: RecordTable<Table>,
  { id, name, detail, workspace_id, version }: Recorded,
  fields: UpdateObject<Tables, Table>,
  { action = 'update', changes = {}, parent_id }: Edit,
) {
  const set = Object.entries({ ...fields, ...editedBy(actor) }).filter(([, value]) => value !== undefined)
  const setting = set.map(([field, value]) => sql`${sql.ref(field)} = ${value}`)
  await sql`update ${sql.table(table)} set ${sql.join(setting)} where id = ${id}`.execute(trx)
  const record = { name, detail, workspace_id, version: version + 1 }
  return audit(trx, actor, { action, entity: kind, entity_id: id, record, changes, parent_id })
}

export function deleteRecord(trx: Trx, actor: Actor, of: RecordTable, record: Recorded, changes: Changes = {}) {
  const fields = { deleted_at: sql<Date>`now()`, ...of.alsoSet?.(actor, true) }
  return editRecord(trx, actor, of, record, fields, { action: 'delete', changes })
}

export function restoreRecord(trx: Trx, actor: Actor, of: RecordTable, record: Recorded, edit: Edit = {}) {
  const fields = { deleted_at: null, ...of.alsoSet?.(actor, false) }
  return editRecord(trx, actor, of, record, fields, { ...edit, action: 'restore' })
}

/** Locks rows until the commit, in the order of their ids. Returns their number. */
export async function lockRows(trx: Trx, table: keyof Tables, which: Sql, how: 'update' | 'no key update') {
  const { rows } = await sql<{ count: number }>`select count(*) from (
    select from ${sql.table(table)} where ${which} order by id for ${sql.raw(how)}) as locked`.execute(trx)
  return rows[0]?.count ?? 0
}

/** The deleted records that are about to be removed for good, as parts of one event. */
export function removedRecords(
  { table, name, detail = sql`null`, workspace_id = sql`null::int` }: RecordTable,
  which: RawBuilder<boolean>,
) {
  return sql`select id as entity_id, ${name} as record_name, ${detail} as record_detail, ${workspace_id} as workspace_id,
    null::int as version, '{}'::jsonb as changes from ${sql.table(table)} where ${which} order by id`
}
