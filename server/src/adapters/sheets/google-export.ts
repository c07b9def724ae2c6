import { pipeline } from 'node:stream/promises'
import { parseCsv } from '@watchdesk/contract/csv-parser'
import type { GoogleAddress } from '@watchdesk/contract/sheet-address'
import { TableError } from '@watchdesk/contract/table-error'
import type { Deadline, HttpResponse } from '../http.ts'
import { addressOf, requireAddress } from './google-address.ts'
import { GoogleError, sendGoogleRequest, UNEXPECTED, withTimeLimit } from './google-request.ts'
import { GOOGLE, type GoogleSettings } from './google-settings.ts'
import { collectRows } from './rows.ts'
import { type OnRows, type ReadSheet, SheetError } from './sheets.ts'

const NOT_SHARED = 'This sheet is not shared. Set its sharing to “Anyone with the link” and try again.'

/** Reads a sheet that is shared with anyone who has the link, without an account, through its CSV export. */
export async function readSharedSheet(
  reference: string,
  options: Partial<GoogleSettings> = {},
  signal?: AbortSignal,
  onRows?: OnRows,
) {
  const address = requireAddress(reference)
  const settings = { ...GOOGLE, ...options }
  return withTimeLimit({ ms: settings.readMs, signal }, (deadline) => readExport(address, settings, deadline, onRows))
}

export async function readExport(
  address: GoogleAddress,
  settings: GoogleSettings,
  deadline: Deadline,
  onRows?: OnRows,
): Promise<ReadSheet> {
  const response = await download(address, settings, deadline)
  const rows = collectRows(settings.rowLimit, onRows)
  const parser = parseCsv(',', ({ cells }) => rows.add(cells))
  const decoder = new TextDecoder()
  await pipeline(
    response.chunks(settings.limitBytes),
    async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) {
        parser.write(decoder.decode(chunk, { stream: true }))
        await rows.flush()
      }
      parser.write(decoder.decode())
      parser.end()
    },
    { signal: deadline.signal },
  ).catch((error: unknown) => {
    throw error instanceof TableError ? new SheetError(UNEXPECTED) : error
  })
  return { id: address.id, url: addressOf(address), ...rows.get() }
}

/** Follows redirects only to Google's own hosts. */
async function download(address: GoogleAddress, settings: GoogleSettings, deadline: Deadline) {
  const checkRedirect = (url: URL) => {
    if (url.hostname === 'accounts.google.com') throw new SheetError(NOT_SHARED)
    if (settings.isAllowedRedirect(url)) return
    throw new SheetError('Google Sheets redirected to an unknown site, so the download was stopped.')
  }
  const request = { headers: { accept: 'text/csv' }, checkRedirect }
  const url = exportUrl(address, settings.docs)
  return requireCsv(await sendGoogleRequest(url, request, deadline, settings).catch(explain))
}

function exportUrl({ id, gid, published }: GoogleAddress, docs: string) {
  const path = published ? `d/e/${id}/pub` : `d/${id}/export`
  const url = new URL(`/spreadsheets/${path}`, docs)
  url.searchParams.set(published ? 'output' : 'format', 'csv')
  if (gid !== undefined) url.searchParams.set('gid', gid)
  if (gid !== undefined && published) url.searchParams.set('single', 'true')
  return url
}

async function requireCsv(response: HttpResponse) {
  const type = response.headers.get('content-type') ?? ''
  if (/^text\/csv\b/i.test(type)) return response
  await response.cancel()
  // A page instead of a file: Google asks to sign in, or to request access.
  throw new SheetError(/^text\/html\b/i.test(type) ? NOT_SHARED : UNEXPECTED)
}

function explain(error: unknown): never {
  if (!(error instanceof GoogleError) || error.isRateLimit || error.status >= 500) throw error
  if (error.status === 401 || error.status === 403) throw new SheetError(NOT_SHARED)
  throw new SheetError('This sheet does not exist. Open the right sheet and tab in your browser and copy the URL.')
}
