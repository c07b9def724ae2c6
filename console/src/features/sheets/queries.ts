import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/sheets'
import { call } from '../../api/call.ts'
import { download } from '../../api/download.ts'
import { ifMatch } from '../../api/if-match.ts'
import { pageQuery } from '../../api/page-query.ts'
import { type Progress, upload } from '../../api/upload.ts'
import { windowQuery } from './shared/window.ts'

export const sheetsQuery = pageQuery(['sheets', 'list'], api.listSheets)

export function sheetQuery(id: number) {
  return queryOptions({
    queryKey: ['sheets', id, 'about'],
    queryFn: ({ signal }) => call(api.getSheet, { params: { id }, signal }),
  })
}

/** The rows to show: all, or those with one outcome. */
export type Shown = { sheet: api.Sheet; outcome: string | undefined }

/** A window of rows. A new title changes the version, but not the rows. */
export function rowsQuery({ sheet: { id, rows_id, version }, outcome }: Shown, client: QueryClient) {
  return (window: number) =>
    windowQuery(['sheets', id, 'rows', rows_id, outcome ?? null], window, async (range, signal) => {
      const part = await call(api.listSheetRows, { params: { id }, query: { ...range, outcome }, signal })
      // The sheet was renamed or replaced: its page loads the other one.
      if (part.version !== version) void client.invalidateQueries({ queryKey: sheetQuery(id).queryKey })
      return part
    })
}

export function downloadSheet(
  id: number,
  query: api.SheetFileQuery,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
) {
  return download(api.downloadSheet, { params: { id }, query, signal }, onProgress)
}

type Replacement = { file: File; signal: AbortSignal; onProgress: (progress: Progress) => void }

export function replaceSheet({ id, version }: api.Sheet, { file, signal, onProgress }: Replacement) {
  return upload(api.replaceSheet, { params: { id }, body: { file }, headers: ifMatch(version), signal }, onProgress)
}

type Current = Pick<api.Sheet, 'id' | 'version'>

export function renameSheet({ id, version }: Current, title: string) {
  return call(api.updateSheet, { params: { id }, body: { title }, headers: ifMatch(version) })
}

export function deleteSheet({ id, version }: Current) {
  return call(api.deleteSheet, { params: { id }, headers: ifMatch(version) })
}

export function restoreSheet({ id }: Pick<api.Sheet, 'id'>) {
  return call(api.restoreSheet, { params: { id } })
}

/** The page that created the sheet. */
export function sectionOf({ origin }: Pick<api.Sheet, 'origin'>) {
  // Older servers do not send it.
  return SECTIONS[origin] ?? SECTIONS.source_import
}

/** The pages that create sheets. */
export const SECTIONS = {
  source_import: { label: 'Source import', to: '/source_import' },
  source_management: { label: 'Source management', to: '/source_management' },
} as const satisfies Record<api.SheetOrigin, object>
