import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/activity'
import type { RecordKind } from '@watchdesk/contract/records'
import { call } from '../../../api/call.ts'
import { hasCallQuery } from '../../../api/has-call.ts'
import { ifMatch } from '../../../api/if-match.ts'

const POLL_MS = 15_000

/** A record with a history. There is only one website config, so it has no id. */
export type HistoryRecord = { entity: RecordKind; entity_id?: number }

/** The newest change of a record; null if it has no recorded changes. Not asked for if the backend has no events. */
export function useNewestChange(record: HistoryRecord, isPolled = false) {
  // Found out by the side menu.
  const isMissing = useQueryClient().getQueryData(hasCallQuery(api.listAuditEvents).queryKey) === false
  const { data } = useQuery({
    queryKey: ['history', 'newest', record],
    queryFn: async ({ signal }) => {
      const query = { ...record, changes_only: 'true', page_size: 1 } as const
      return (await call(api.listAuditEvents, { query, signal })).objects[0] ?? null
    },
    enabled: !isMissing,
    // The previous page may have saved a change.
    staleTime: 0,
    // What is polled is also below the title, which has just asked.
    refetchOnMount: !isPolled,
    retryOnMount: !isPolled,
    refetchInterval: ({ state }) => isPolled && !state.error && POLL_MS,
  })
  return data
}

export type Side = api.PutBack['side']

/** What putting a record back would change. Read again for every dialog. */
export function putBackQuery(id: number, side: Side) {
  return queryOptions({
    queryKey: ['history', 'put-back', id, side],
    queryFn: ({ signal }) => call(api.previewPutBack, { params: { id }, query: { side }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

export function putBack(id: number, body: api.PutBack, version: number) {
  return call(api.putBack, { params: { id }, body, headers: ifMatch(version) })
}
