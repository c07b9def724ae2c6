import { AUDIT_ACTIONS, AUDIT_VERBS, type AuditAction, type AuditEvent } from '@watchdesk/contract/activity'

/** What a sentence is made of. */
export type SentenceEvent = Pick<
  AuditEvent,
  'actor' | 'action' | 'entity' | 'entity_id' | 'record' | 'changes' | 'parts'
>

/** A sentence without its person: the record is between the two texts, and may be missing. */
export type Sentence = { start: string; record?: string; end: string }

export function numberOf(value: unknown) {
  return typeof value === 'number' ? value : 0
}

export function after({ changes }: SentenceEvent, field: string) {
  const value = changes[field]?.after
  return value === undefined || value === null ? '' : String(value)
}

export function countIn(event: SentenceEvent, field: string) {
  return Number(after(event, field) || 0)
}

/** What was done, in the past. Newer servers may know more actions. */
export function verbOf(action: AuditAction) {
  return AUDIT_VERBS[action] ?? (AUDIT_ACTIONS[action] ?? action).toLowerCase()
}
