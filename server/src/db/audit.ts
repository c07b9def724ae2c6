import { isDeepStrictEqual } from 'node:util'
import type { AuditAction, AuditEntity, AuditEvent } from '@watchdesk/contract/audit'
import type { Transaction } from 'kysely'
import type { Actor } from '../actor.ts'
import type { Tables } from './tables.ts'

type Fields = Record<string, unknown>

/** A command of the operator has a name and neither of the others. */
type Author = Pick<Actor, 'name'> & { id: number | null; ip: string | null }

type Event = {
  action: AuditAction
  entity: AuditEntity
  entity_id: number | null
  changes: AuditEvent['changes']
}

/** Written in the transaction of the change it tells of: neither exists without the other. */
export async function audit(trx: Transaction<Tables>, actor: Author, event: Event) {
  await trx.insertInto('audit_events').values(row(actor, event)).execute()
}

/** The same as the beginning of the statement that makes the change: an edit then asks the database once less. */
export function audited(trx: Transaction<Tables>, actor: Author, event: Event) {
  return trx.with('audited', (query) => query.insertInto('audit_events').values(row(actor, event)))
}

function row(actor: Author, { changes, ...event }: Event) {
  return { ...event, actor_id: actor.id, actor_name: actor.name, ip: actor.ip, changes: JSON.stringify(changes) }
}

/** The fields of `after` that differ from `before`, with both values. A password is only said to have changed. */
export function changesBetween(before: Fields, after: Fields): AuditEvent['changes'] {
  const changed = Object.keys(after).filter((field) => !isDeepStrictEqual(before[field], after[field]))
  return Object.fromEntries(
    changed.map((field) => [
      field,
      field === 'password'
        ? { before: null, after: '(changed)' }
        : { before: before[field] ?? null, after: after[field] ?? null },
    ]),
  )
}
