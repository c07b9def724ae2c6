import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AuditAction, AuditEntity, AuditEvent } from '@watchdesk/contract/activity'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../actor.ts'
import type { Trx } from './open.ts'
import type { Rights } from './rights.ts'

type Fields = Record<string, unknown>

/** For an operator's command, only the name is set. */
export type Author = Pick<Actor, 'name'> & { id: number | null; ip: string | null }

export const SYSTEM: Author = { id: null, name: 'Watchdesk', ip: null }

/** The record as it is after the event. */
export type AuditedRecord = {
  name: string
  /** What tells it from others of the same name. */
  detail?: string | null
  /** The workspace whose admins see the event. */
  workspace_id?: number | null | RawBuilder<number>
  version?: number
}

type Event = {
  action: AuditAction
  entity: AuditEntity
  /** An expression for a row that the same statement inserts. */
  entity_id: number | null | RawBuilder<number>
  record?: AuditedRecord
  /** For events without a record. */
  workspace_id?: number
  parent_id?: number
  changes: AuditEvent['changes']
}

export type Change = 'update' | 'put_back'

/** Call it in the transaction of the change, so that neither exists without the other. Returns the id of the event. */
export async function audit(trx: Trx, actor: Author, event: Event) {
  const { id } = await audited(actor, event)(trx).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Like `audit`, but as a CTE of the statement that makes the change: `trx.with('audited', audited(…))`. */
export function audited(actor: Author, event: Event) {
  return (query: Pick<Trx, 'insertInto'>) => query.insertInto('audit_events').values(eventOf(actor, event))
}

/** The id of the row that an earlier CTE of the statement inserts. */
export function newId(cte: string) {
  return sql<number>`(select id from ${sql.table(cte)})`
}

/** `rows` selects `entity_id`, `record_name`, `record_detail`, `workspace_id`, `version` and `changes` of each part. */
export async function auditParts(
  trx: Trx,
  actor: Author,
  { action, entity, parent_id }: Pick<Event, 'action' | 'entity'> & { parent_id: number },
  rows: RawBuilder<unknown>,
) {
  await sql`insert into audit_events (action, entity, actor_id, actor_name, ip, parent_id, is_nested,
      entity_id, record_name, record_detail, workspace_id, version, changes)
    select ${action}, ${entity}, ${actor.id}::int, ${actor.name}, ${actor.ip}, ${parent_id}::bigint,
      coalesce(rows.workspace_id = parent.workspace_id, false),
      rows.entity_id, rows.record_name, rows.record_detail, rows.workspace_id, rows.version, rows.changes
    from audit_events parent cross join (${rows}) as rows where parent.id = ${parent_id}`.execute(trx)
}

/** At most once a minute across all servers: nobody can fill the table with actions that change nothing. */
export async function auditOnce(trx: Trx, actor: Author & { id: number }, what: string, event: Event) {
  const first = await sql`insert into audit_once (actor_id, what, minute)
    values (${actor.id}, ${hash('sha256', what)}, date_trunc('minute', now())) on conflict do nothing returning actor_id`.execute(
    trx,
  )
  if (first.rows.length > 0) await audit(trx, actor, event)
}

/** Call it before the first byte is sent, so that every download is in the audit log. */
export function auditDownload(
  rights: Rights,
  actor: Actor,
  about: Pick<Event, 'entity' | 'record' | 'workspace_id'> & { entity_id?: number },
  query: object,
) {
  const event = { action: 'download', entity_id: null, ...about, changes: changesBetween({}, { ...query }) } as const
  return rights.record(actor, (trx) => auditOnce(trx, actor, JSON.stringify(event), event))
}

function eventOf(actor: Author, { action, entity, entity_id, record, parent_id, changes, ...event }: Event) {
  const workspace_id = record?.workspace_id ?? event.workspace_id ?? null
  // Listed as a part only: in the list of a workspace, its event is listed too.
  const isNested = sql<boolean>`coalesce((select workspace_id = ${workspace_id}::int from audit_events
    where id = ${parent_id}), false)`
  return {
    action,
    entity,
    entity_id,
    actor_id: actor.id,
    actor_name: actor.name,
    ip: actor.ip,
    record_name: record?.name ?? null,
    record_detail: record?.detail ?? null,
    workspace_id,
    version: record?.version ?? null,
    parent_id: parent_id ?? null,
    is_nested: parent_id === undefined ? false : isNested,
    changes: JSON.stringify(changes),
  }
}

export function changesBetween(before: Fields, after: Fields): AuditEvent['changes'] {
  const changes: AuditEvent['changes'] = {}
  for (const field of Object.keys(after)) {
    if (isDeepStrictEqual(before[field], after[field])) continue
    if (field === 'password') changes[field] = { before: null, after: '(changed)' }
    else changes[field] = { before: before[field] ?? null, after: after[field] ?? null }
  }
  return changes
}
