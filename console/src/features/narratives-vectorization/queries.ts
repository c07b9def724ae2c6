import { queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/narratives-vectorization'
import { call } from '../../api/call.ts'

const POLL_MS = 1_500

export function vectorizeNarrative(body: api.Vectorization, key: string) {
  return call(api.vectorizeNarrative, { body, headers: { 'idempotency-key': key } })
}

export function getStatus(execution_date: string, signal?: AbortSignal) {
  return call(api.vectorizationStatus, { params: { execution_date }, signal })
}

/** Polls while the run is in progress and the page is visible. */
export function statusQuery(execution_date: string) {
  return queryOptions({
    queryKey: ['vectorization', 'status', execution_date],
    queryFn: ({ signal }) => getStatus(execution_date, signal),
    refetchInterval: ({ state: { data } }) => data && isInProgress(data) && POLL_MS,
  })
}

export function runsQuery(query: api.RunQuery) {
  return queryOptions({
    queryKey: ['vectorization', 'runs', query],
    queryFn: ({ signal }) => call(api.listRuns, { query, signal }),
    refetchInterval: ({ state: { data } }) => data?.objects.some(isInProgress) && POLL_MS,
  })
}

export function similarStories(id: number, query: api.SimilarQuery, signal: AbortSignal) {
  return call(api.similarStories, { params: { id }, query, signal })
}

function isInProgress({ status }: { status: string }) {
  return status === 'queued' || status === 'running'
}
