import { type AuditEvent, listAuditEvents } from '@watchdesk/contract/activity'
import { EVENTS_AT_ONCE } from '@watchdesk/contract/limits'
import type { Backend } from './backend.ts'
import { ME } from './records.ts'

export const MY_NAME = `${ME.first_name} ${ME.last_name}`

/** By default, the signed in user has just changed the type of a user. */
export function anEvent(fields: Partial<AuditEvent> = {}): AuditEvent {
  const name = 'Iryna Shevchuk'
  return {
    id: 1,
    at: new Date().toISOString(),
    actor: { id: ME.id, name: MY_NAME },
    action: 'update',
    entity: 'user',
    entity_id: 10,
    record: { name, detail: 'iryna@example.com', state: 'live', current_name: name },
    workspace: { id: 1, name: 'Baltic' },
    version: 2,
    changes: { type: { before: 'STANDARD', after: 'MODERATOR' } },
    is_cut: false,
    parent_id: null,
    parts: 0,
    ip: '127.0.0.1',
    ...fields,
  }
}

/** Answers events, newest first, which are filtered and continued like the real ones. They may change later. */
export function answerEvents(backend: Backend, events: AuditEvent[]) {
  backend.answer(listAuditEvents, ({ query }) => {
    const { entity, entity_id, action, actor_id, to, search = '', before, page_size } = query
    const isAt = (value: unknown, wanted?: string) => wanted === undefined || String(value) === wanted
    const found = events.filter(
      (event) =>
        isAt(event.entity, entity) &&
        isAt(event.entity_id, entity_id) &&
        isAt(event.action, action) &&
        isAt(event.actor?.id, actor_id) &&
        (to === undefined || event.at < to) &&
        JSON.stringify(event).toLowerCase().includes(search.toLowerCase()) &&
        (before === undefined || event.id < Number(before.split('-')[1])),
    )
    const objects = found.slice(0, Number(page_size ?? EVENTS_AT_ONCE / 2))
    const last = objects.at(-1)
    const next = last && objects.length < found.length ? `1-${last.id}` : null
    return { objects, next, newest: `1-${events[0]?.id ?? 0}` }
  })
}
