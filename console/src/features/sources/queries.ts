import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as imports from '@watchdesk/contract/operations/operations'
import * as api from '@watchdesk/contract/sources'
import { call } from '../../api/call.ts'
import { download } from '../../api/download.ts'
import { ifMatch } from '../../api/if-match.ts'
import { pageQuery } from '../../api/page-query.ts'

export const sourcesQuery = pageQuery(['sources', 'list'], api.listSources)

export function sourceQuery(id: number) {
  return queryOptions({
    queryKey: ['sources', 'one', id],
    queryFn: ({ signal }) => call(api.getSource, { params: { id }, signal }),
  })
}

/** The imports that changed a source, newest first. */
export function importsOfSourceQuery(id: number) {
  return queryOptions({
    queryKey: ['sources', 'imports', id],
    queryFn: async ({ signal }) => (await call(api.listImportsOfSource, { params: { id }, signal })).objects,
  })
}

export function updateSource(id: number, body: api.SourceUpdate, headers: { 'if-match'?: string }) {
  return call(api.updateSource, { params: { id }, body, headers })
}

export function removeSource({ id, version }: Pick<api.MonitoredSource, 'id' | 'version'>) {
  return call(api.deleteSource, { params: { id }, headers: ifMatch(version) })
}

export function restoreSource({ id }: Pick<api.MonitoredSource, 'id'>) {
  return call(api.restoreSource, { params: { id } })
}

/** The server runs requests with the same key once. */
export function changeSources(body: api.SourcesChange, key: string) {
  return call(api.changeSources, { body, headers: { 'idempotency-key': key } })
}

/** Rows that somebody has changed since are left alone. */
export function undoChange(id: number) {
  return call(imports.undoOperation, { params: { id }, body: { changed: 'leave' } })
}

export type FileFormat = 'csv' | 'xlsx'

export function downloadSources(
  filter: api.SourceFilter,
  format: FileFormat,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
) {
  return download(api.downloadSources, { query: { ...filter, format }, signal }, onProgress)
}

export function exportSources(filter: api.SourceFilter, signal: AbortSignal) {
  return call(api.exportSources, { body: filter, signal })
}

/** A changed source is in the list, in the bin, or in an import. */
export function refreshSources(client: QueryClient) {
  const keys = ['sources', 'operations', 'bin', 'history', 'activity']
  return Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })))
}
