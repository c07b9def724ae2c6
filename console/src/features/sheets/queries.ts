import { queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/sheets'
import { call } from '../../api/call.ts'
import { download } from '../../api/download.ts'
import { ifMatch } from '../../api/if-match.ts'
import { type Progress, upload } from '../../api/upload.ts'

const GC_TIME_MS = 120_000

/** Rows per request. */
export const WINDOW = 200

export function sheetQuery(id: number) {
  return queryOptions({
    queryKey: ['sheets', id, 'about'],
    queryFn: ({ signal }) => call(api.getSheet, { params: { id }, signal }),
  })
}

/** The rows to show: all, or those with one outcome. */
export type Shown = { sheet: api.Sheet; outcome: string | undefined }

/** A window of rows. The rows of one version never change, so they are never stale. */
export function rowsQuery({ sheet: { id, version }, outcome }: Shown, window: number) {
  return queryOptions({
    queryKey: ['sheets', id, 'rows', version, outcome ?? null, window],
    queryFn: async ({ signal }) => {
      const rows: api.SheetRows['rows'] = []
      for (;;) {
        const query = { offset: window * WINDOW + rows.length, limit: WINDOW - rows.length, outcome }
        const part = await call(api.listSheetRows, { params: { id }, query, signal })
        rows.push(...part.rows)
        // The server returns fewer rows than requested if they are long.
        const isDone = rows.length >= WINDOW || query.offset + part.rows.length >= part.total
        if (isDone || part.rows.length === 0 || part.version !== version) return { ...part, rows }
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: GC_TIME_MS,
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
