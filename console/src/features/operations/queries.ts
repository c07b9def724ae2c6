import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { cancelJob } from '@watchdesk/contract/jobs'
import type { ListQuery } from '@watchdesk/contract/list'
import * as api from '@watchdesk/contract/operations/operations'
import { call } from '../../api/call.ts'
import { download } from '../../api/download.ts'
import { pageQuery } from '../../api/page-query.ts'
import { followJob } from '../jobs/shared/follow-job.ts'
import { windowQuery } from '../sheets/shared/window.ts'
import { refreshChanged } from './shared/refresh.ts'

const POLL_MS = 1_500

const page = pageQuery(['operations', 'list'], api.listOperations)

/** A page of the list, polled while an import on it runs. */
export function operationsQuery(query: ListQuery<typeof api.operationList>) {
  return queryOptions({
    ...page(query),
    refetchInterval: ({ state: { data } }) => data?.objects.some(isUnfinished) && POLL_MS,
  })
}

/** One import, polled while it runs or is undone in the background. */
export function operationQuery(id: number) {
  return queryOptions({
    queryKey: ['operations', 'one', id],
    queryFn: ({ signal }) => call(api.getOperation, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => data && (isUnfinished(data) || data.undoing !== null) && POLL_MS,
  })
}

export function isUnfinished({ state }: Pick<api.Operation, 'state'>) {
  return state === 'queued' || state === 'running'
}

/** The names of the columns: they come with the rows. */
export function headerQuery(id: number) {
  return queryOptions({
    queryKey: ['operations', 'header', id],
    queryFn: async ({ signal }) => {
      const { header } = await call(api.listOperationRows, { params: { id }, query: { limit: 1 }, signal })
      return header
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A window of rows, all or those with one outcome. */
export function rowsQuery(id: number, outcome: string | undefined, explain: (cells: string[]) => string[]) {
  return (window: number) =>
    windowQuery(['operations', 'rows', id, outcome ?? null], window, async (range, signal) => {
      const query = { ...range, outcome: outcome === undefined ? undefined : [outcome] }
      const part = await call(api.listOperationRows, { params: { id }, query, signal })
      return { ...part, rows: part.rows.map(({ number, cells }) => ({ number, cells: explain(cells) })) }
    })
}

/** Ends the job of an import that runs in the background. What it has stored so far is discarded. */
export async function cancelOperation(client: QueryClient, { id, job_id }: Pick<api.Operation, 'id' | 'job_id'>) {
  if (job_id !== null) await call(cancelJob, { params: { id: job_id } })
  await client.invalidateQueries({ queryKey: operationQuery(id).queryKey })
}

export type FileFormat = 'csv' | 'xlsx'

export function downloadRows(
  id: number,
  query: { format: FileFormat; outcome: string[] },
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
) {
  return download(api.downloadOperationRows, { params: { id }, query, signal }, onProgress)
}

export function undoPreviewQuery(id: number) {
  return queryOptions({
    queryKey: ['operations', 'undo', id],
    queryFn: ({ signal }) => call(api.previewUndo, { params: { id }, signal }),
    // What an undo does changes with every edit of a source.
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
}

/** Returns the undo, which runs in the background if it changes many rows. */
export async function undoOperation(client: QueryClient, id: number, changed: api.Undo['changed'], key: string) {
  try {
    const sent = { params: { id }, body: { changed }, headers: { 'idempotency-key': key } }
    const undo = await call(api.undoOperation, sent)
    if (undo.job_id !== null) void followJob(client, undo.job_id)
    await refreshChanged(client)
    return undo
  } catch (error) {
    // The reason is often that somebody else has changed the rows.
    void refreshChanged(client)
    throw error
  }
}
