import type { AuditEvent } from '@watchdesk/contract/activity'
import type { BinKind } from '@watchdesk/contract/bin'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { found } from '../problem.ts'
import { audit } from './audit.ts'
import { checkVersion } from './entity.ts'
import type { Trx } from './open.ts'
import type { Tables } from './tables.ts'

const NO_WORKSPACE = sql`null::int`

/** The kinds of records that can be deleted, in the order of their restore, with what their events say about them. */
export const RECORDS = {
  workspace: { table: 'workspaces', name: sql`name`, detail: sql`null`, workspace_id: sql`id` },
  dashboard: { table: 'powerbi_dashboards', name: sql`name`, detail: sql`null`, workspace_id: NO_WORKSPACE },
  // Users can only return to a workspace that exists.
  user: { table: 'users', name: sql`full_name`, detail: sql`email`, workspace_id: sql`workspace_id` },
  sheet: { table: 'sheets', name: sql`title`, detail: sql`null`, workspace_id: NO_WORKSPACE },
  source: { table: 'sources', name: sql`url`, detail: sql`null`, workspace_id: NO_WORKSPACE },
} as const satisfies Record<BinKind, object>

type RecordFields = {
  kind: BinKind
  id: number
  name: string
  detail: string | null
  workspace_id: number | null
  version: number
  updated_at: Date
  updated_by: number | null
}

/** The row, with what its events say about it. */
type LockedRecord<Kind extends BinKind> = RecordFields & Selectable<Tables[(typeof RECORDS)[Kind]['table']]>

/** Locks a record that is not deleted until the commit. */
export async function lockRecord<Kind extends BinKind>(trx: Trx, kind: Kind, id: number, ifMatch?: string) {
  const label = `${kind[0]?.toUpperCase()}${kind.slice(1)}`
  const record = found(await lock(trx, kind, sql`id = ${id} and deleted_at is null`), label)
  await checkVersion(trx, kind, record, ifMatch)
  return record
}

/** Locks a record in the bin: it can be neither restored nor removed for good until the commit. */
export async function lockDeletedRecord(trx: Trx, kind: BinKind, id: number) {
  return found(await lock(trx, kind, sql`id = ${id} and deleted_at is not null`), `Deleted ${kind}`)
}

/** Not its key: others may list it while this waits for a record that they hold. */
async function lock<Kind extends BinKind>(trx: Trx, kind: Kind, which: RawBuilder<unknown>) {
  const { table, name, detail, workspace_id } = RECORDS[kind]
  const { rows } = await sql<LockedRecord<Kind>>`select *, ${kind}::text as kind, ${name} as name,
      ${detail}::text as detail, ${workspace_id} as workspace_id
    from ${sql.table(table)} where ${which} for no key update`.execute(trx)
  return rows[0]
}

type Changes = AuditEvent['changes']
type Recorded = Omit<RecordFields, 'updated_at' | 'updated_by'>

/** Moves a locked record to the bin, from which it is removed after 30 days. Returns the id of the event. */
export async function deleteRecord(trx: Trx, actor: Actor, record: Recorded, changes: Changes = {}) {
  await setDeleted(trx, actor, record, { isDeleted: true })
  return audit(trx, actor, { ...about(record), action: 'delete', changes })
}

/** Brings a locked record back from the bin. `parent_id` is the event that the restore is a part of. */
export async function restoreRecord(
  trx: Trx,
  actor: Actor,
  record: Recorded,
  { parent_id, changes = {} }: { parent_id?: number; changes?: Changes } = {},
) {
  await setDeleted(trx, actor, record, { isDeleted: false })
  return audit(trx, actor, { ...about(record), action: 'restore', parent_id, changes })
}

function about({ kind, id, name, detail, workspace_id, version }: Recorded) {
  return { entity: kind, entity_id: id, record: { name, detail, workspace_id, version: version + 1 } }
}

async function setDeleted(trx: Trx, actor: Actor, { kind, id }: Recorded, { isDeleted }: { isDeleted: boolean }) {
  await sql`update ${sql.table(RECORDS[kind].table)} set deleted_at = ${isDeleted ? sql`now()` : sql`null`},
    version = version + 1, updated_at = now(), updated_by = ${actor.id} ${more()} where id = ${id}`.execute(trx)

  function more() {
    // Another content than an import left, so that undoing the import asks about it.
    if (kind === 'source') return sql`, content_version = version + 1`
    if (kind !== 'user') return sql``
    return isDeleted ? sql`, deleted_by_super_admin = ${actor.seesEverything}` : sql`, deleted_with_workspace = false`
  }
}

/** The deleted records that are about to be removed for good, as parts of one event. */
export function removedRecords(kind: BinKind, which: RawBuilder<boolean>) {
  const { table, name, detail, workspace_id } = RECORDS[kind]
  return sql`select id as entity_id, ${name} as record_name, ${detail} as record_detail, ${workspace_id} as workspace_id,
    null::int as version, '{}'::jsonb as changes from ${sql.table(table)} where ${which} order by id`
}
