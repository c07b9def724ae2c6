import type { AuditEntity, AuditEvent } from '@watchdesk/contract/activity'
import { inFormOrder, labelOf } from './labels.ts'

/** A changed value: a field, or a part of one such as the limit of a quota. */
export type ChangedRow = {
  /** The field as the API names it. */
  field: string
  /** The field, or the path of its part: 'ai_quota.limit'. */
  path: string
  label: string
  before: unknown
  after: unknown
}

/** The changed values with the labels of the forms. */
export function rowsOf(entity: AuditEntity, changes: AuditEvent['changes']): ChangedRow[] {
  return inFormOrder(Object.keys(changes)).flatMap((field) =>
    partsOf(field, changes[field]?.before, changes[field]?.after).map((part) => ({
      field,
      ...part,
      label: labelOf(entity, part.path),
    })),
  )
}

function partsOf(path: string, before: unknown, after: unknown) {
  if (!isObject(before) && !isObject(after)) return [{ path, before, after }]
  const [old, now] = [isObject(before) ? before : {}, isObject(after) ? after : {}]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return names
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    .map((name) => ({ path: `${path}.${name}`, before: old[name], after: now[name] }))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
