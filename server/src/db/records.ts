import type { AuditEvent } from '@watchdesk/contract/activity'
import type { DeletableKind } from '@watchdesk/contract/records'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { found } from '../problem.ts'
import { audit } from './audit.ts'
import { checkVersion } from './entity.ts'
import type { Trx } from './open.ts'
import type { Tables } from './tables.ts'

type Sql = RawBuilder<unknown>

/** A table of records that can be deleted, with what their events say about them. */
export type RecordTable<Table extends keyof Tables = keyof Tables> = {
  kind: DeletableKind
  table: Table
  name: Sql
  /** What tells it from others of the same name. */
  detail?: Sql
  /** The workspace whose admins see its events. */
  workspace_id?: Sql
  /** What a delete or a restore sets besides. */
  alsoSet?: (actor: Actor, isDeleted: boolean) => Sql
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

/** Locks a record that is not deleted until the commit. */
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

/** Locks a record in the bin: it can be neither restored nor removed for good until the commit. */
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
type Recorded = Omit<RecordFields, 'updated_at' | 'updated_by'>

/** Moves a locked record to the bin, from which it is removed after 30 days. Returns the id of the event. */
export async function deleteRecord(trx: Trx, actor: Actor, of: RecordTable, record: Recorded, changes: Changes = {}) {
  await setDeleted(trx, actor, of, record.id, true)
  return audit(trx, actor, { ...about(of, record), action: 'delete', changes })
}

/** Brings a locked record back from the bin. `parent_id` is the event that the restore is a part of. */
export async function restoreRecord(
  trx: Trx,
  actor: Actor,
  of: RecordTable,
  record: Recorded,
  { parent_id, changes = {} }: { parent_id?: number; changes?: Changes } = {},
) {
  await setDeleted(trx, actor, of, record.id, false)
  return audit(trx, actor, { ...about(of, record), action: 'restore', parent_id, changes })
}

function about({ kind }: RecordTable, { id, name, detail, workspace_id, version }: Recorded) {
  return { entity: kind, entity_id: id, record: { name, detail, workspace_id, version: version + 1 } }
}

async function setDeleted(trx: Trx, actor: Actor, { table, alsoSet }: RecordTable, id: number, isDeleted: boolean) {
  await sql`update ${sql.table(table)} set deleted_at = ${isDeleted ? sql`now()` : sql`null`},
    version = version + 1, updated_at = now(), updated_by = ${actor.id}
    ${alsoSet ? sql`, ${alsoSet(actor, isDeleted)}` : sql``} where id = ${id}`.execute(trx)
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
