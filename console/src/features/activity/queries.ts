import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/activity'
import { EVENTS_AT_ONCE } from '@watchdesk/contract/limits'
import { call } from '../../api/call.ts'
import { download } from '../../api/download.ts'

const PAGE_SIZE = EVENTS_AT_ONCE / 2
const POLL_MS = 10_000

/** The start of every key. */
const ACTIVITY = ['activity'] as const

/** The pages of events, newest first. */
export function eventsQuery(filters: api.AuditFilters) {
  return infiniteQueryOptions({
    queryKey: [...ACTIVITY, 'events', filters],
    queryFn: ({ pageParam, signal }) => readPage(filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // New events are shown when the reader asks for them, so that nothing moves.
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

export function readPage(filters: api.AuditFilters, before?: string, signal?: AbortSignal) {
  return call(api.listAuditEvents, { query: { ...filters, before, page_size: PAGE_SIZE }, signal })
}

/** One event with the whole values of its changes, which never change. */
export function eventQuery(id: number) {
  return queryOptions({
    queryKey: [...ACTIVITY, 'event', id],
    queryFn: ({ signal }) => call(api.getAuditEvent, { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The largest number that the server counts to. */
export const MANY = 100

/** The number of events newer than the first one in the list, asked again while the tab is visible. */
export function newEventsQuery(filters: api.AuditFilters, after: string) {
  return queryOptions({
    queryKey: [...ACTIVITY, 'new', filters, after],
    queryFn: ({ signal }) => call(api.countNewEvents, { query: { ...filters, after }, signal }),
    // The list has just been read.
    initialData: { count: 0 },
    staleTime: POLL_MS,
    refetchInterval: ({ state }) => (state.data?.count ?? 0) < MANY && POLL_MS,
  })
}

export type FileFormat = 'csv' | 'jsonl'

export function downloadEvents(
  filters: api.AuditFilters,
  format: FileFormat,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
) {
  return download(api.downloadAuditEvents, { query: { ...filters, format }, signal }, onProgress)
}
