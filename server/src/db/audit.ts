import { isDeepStrictEqual } from 'node:util'
import type { AuditAction, AuditEntity, AuditEvent } from '@watchdesk/contract/audit'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { fitChanges } from './audit-size.ts'
import type { SystemDb, Trx } from './open.ts'

type Fields = Record<string, unknown>

/** For an operator's command, only the name is set. */
type Author = Pick<Actor, 'name'> & { id: number | null; ip: string | null }

type Event = {
  action: AuditAction
  entity: AuditEntity
  /** An expression for a row that the same statement inserts. */
  entity_id: number | null | RawBuilder<number>
  changes: AuditEvent['changes']
}

/** Call it in the transaction of the change, so that neither exists without the other. */
export async function audit(trx: Trx, actor: Author, event: Event) {
  await trx.insertInto('audit_events').values(eventOf(actor, event)).execute()
}

/** Like `audit`, but as a CTE of the statement that makes the change: `trx.with('audited', audited(…))`. */
export function audited(actor: Author, event: Event) {
  return recording(eventOf(actor, event))
}

/** The same with the row of the event, for a statement that is compiled once. */
export function recording(event: ReturnType<typeof eventOf>) {
  return (query: Inserting) => query.insertInto('audit_events').values(event)
}

/** The id of the row that an earlier CTE of the statement inserts. */
export function newId(cte: string) {
  return sql<number>`(select id from ${sql.table(cte)})`
}

type Inserting = Pick<Trx, 'insertInto'>

/**
 * Records an action that changes nothing and can be repeated, at most once a minute across all servers, so that nobody
 * can fill the table. Actions with the same `what` count as the same.
 */
export async function auditOnce(db: SystemDb | Trx, actor: Author & { id: number }, what: string, event: Event) {
  const { action, entity, entity_id, actor_id, actor_name, changes, ip } = eventOf(actor, event)
  await sql`with first as (
      insert into audit_once (actor_id, what, minute) values (${actor_id}, ${what}, date_trunc('minute', now()))
      on conflict do nothing returning actor_id
    )
    insert into audit_events (action, entity, entity_id, actor_id, actor_name, changes, ip)
    select ${action}, ${entity}, ${entity_id}::integer, actor_id, ${actor_name}, ${changes}::jsonb, ${ip}
    from first`.execute(db)
}

export function eventOf(actor: Author, { action, entity, entity_id, changes }: Event) {
  return {
    action,
    entity,
    entity_id,
    actor_id: actor.id,
    actor_name: actor.name,
    ip: actor.ip,
    changes: fitChanges(changes),
  }
}

/** The fields of `after` that differ from `before`, with both values. For a password, only the fact that it changed. */
export function changesBetween(before: Fields, after: Fields): AuditEvent['changes'] {
  const changes: AuditEvent['changes'] = {}
  for (const field of Object.keys(after)) {
    if (isDeepStrictEqual(before[field], after[field])) continue
    const isSecret = field === 'password'
    changes[field] = isSecret
      ? { before: null, after: '(changed)' }
      : { before: before[field] ?? null, after: after[field] ?? null }
  }
  return changes
}
