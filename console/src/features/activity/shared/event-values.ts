import type { AuditAction, AuditEvent } from '@watchdesk/contract/activity'

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

/** What was done, in the past. */
export const VERBS: Partial<Record<AuditAction, string>> = {
  create: 'created',
  update: 'changed',
  put_back: 'put back',
  renew: 'renewed',
  delete: 'deleted',
  restore: 'restored',
  remove: 'deleted',
  purge: 'removed',
  unlock: 'unlocked',
  end_sessions: 'signed out',
  undo: 'undid',
  import: 'imported',
  export: 'exported',
  download: 'downloaded',
}
