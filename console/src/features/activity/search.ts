import { AUDIT_ACTIONS, type AuditAction, type AuditEntity, type AuditFilters } from '@watchdesk/contract/activity'
import { integerParam, textParam } from '../../ui/navigation/search-params.ts'
import { ENTITY_LABELS } from './shared/kinds.ts'

export const SPAN_LABELS = { today: 'Today', '7d': 'Last 7 days', '30d': 'Last 30 days' } as const
type Span = keyof typeof SPAN_LABELS

const DAYS: Record<Span, number> = { today: 1, '7d': 7, '30d': 30 }

/** The filters in the address. Days are `YYYY-MM-DD`, both included, in the reader's time zone. */
export type ActivitySearch = {
  search?: string
  actor_id?: number
  entity?: AuditEntity
  entity_id?: number
  action?: AuditAction
  workspace_id?: number
  time?: Span
  from?: string
  to?: string
}

/** Unknown values are set to undefined, because the router keeps keys that are left out. */
export function activitySearch(given: Record<string, unknown>): ActivitySearch {
  const entity = keyOf(ENTITY_LABELS, given.entity)
  const time = keyOf(SPAN_LABELS, given.time)
  return {
    search: textParam(given.search),
    actor_id: integerParam(given.actor_id),
    entity,
    entity_id: entity && integerParam(given.entity_id),
    action: keyOf(AUDIT_ACTIONS, given.action),
    workspace_id: integerParam(given.workspace_id),
    time,
    from: time ? undefined : dayParam(given.from),
    to: time ? undefined : dayParam(given.to),
  }
}

function keyOf<Key extends string>(labels: Record<Key, string>, given: unknown): Key | undefined {
  return typeof given === 'string' && Object.hasOwn(labels, given) ? (given as Key) : undefined
}

function dayParam(given: unknown) {
  return typeof given === 'string' && startOf(given) ? given : undefined
}

/** The search params as a query of the API. */
export function filtersOf({ time, from, to, ...search }: ActivitySearch, now = new Date()): AuditFilters {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const first = time ? addDays(today, 1 - DAYS[time]) : startOf(from)
  const last = startOf(to)
  return { ...search, from: first?.toISOString(), to: last && addDays(last, 1).toISOString() }
}

/** How many filters are set, with a time span as one. */
export function countFilters({ search: _, time, from, to, entity, entity_id, ...others }: ActivitySearch) {
  const isRecord = entity_id !== undefined
  const chosen = [...Object.values(others), time ?? from ?? to, isRecord ? entity_id : entity]
  return chosen.filter((value) => value !== undefined).length
}

/** Midnight of a day in the reader's time zone; undefined if there is no such day. */
function startOf(day = ''): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.map(Number) ?? []
  if (year === undefined || month === undefined || date === undefined || year < 1000) return
  const start = new Date(year, month - 1, date)
  return start.getMonth() === month - 1 && start.getDate() === date ? start : undefined
}

/** Not by adding hours: a day may have 23 or 25 of them. */
function addDays(start: Date, days: number) {
  return new Date(start.getFullYear(), start.getMonth(), start.getDate() + days)
}
