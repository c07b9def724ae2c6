import { parseCsv } from '@watchdesk/contract/csv-parser'
import type { GoogleAddress } from '@watchdesk/contract/sheet-address'
import { TableError } from '@watchdesk/contract/table-error'
import type { Deadline } from '../http.ts'
import { addressOf } from './google-address.ts'
import { GoogleError, sendGoogleRequest, UNEXPECTED } from './google-request.ts'
import type { GoogleSettings } from './google-settings.ts'
import { collectRows } from './rows.ts'
import { type OnRows, SheetError } from './sheets.ts'

const NOT_SHARED = 'This sheet is not shared. Set its sharing to “Anyone with the link” and try again.'

/** Reads a sheet that is shared with anyone who has the link, without an account, through its CSV export. */
export async function readExport(settings: GoogleSettings, deadline: Deadline, address: GoogleAddress, onRows: OnRows) {
  const chunks = await download(address, settings, deadline)
  const rows = collectRows(settings.rowLimit, onRows)
  const parser = parseCsv(',', rows.add)
  const decoder = new TextDecoder()
  try {
    for await (const chunk of chunks) {
      parser.write(decoder.decode(chunk, { stream: true }))
      await rows.flush()
    }
    parser.write(decoder.decode())
    parser.end()
  } catch (error) {
    throw error instanceof TableError ? new SheetError(UNEXPECTED) : error
  }
  await rows.flush()
  return { id: address.id, url: addressOf(address), header: rows.header() }
}

async function download(address: GoogleAddress, settings: GoogleSettings, deadline: Deadline) {
  const checkRedirect = (url: URL) => {
    if (url.hostname === 'accounts.google.com') throw new SheetError(NOT_SHARED)
    if (settings.isAllowedRedirect(url)) return
    throw new SheetError('Google Sheets redirected to an unknown site, so the download was stopped.')
  }
  const request = { headers: { accept: 'text/csv' }, checkRedirect }
  const response = await sendGoogleRequest(exportUrl(address, settings.docs), request, deadline, settings).catch(
    explain,
  )
  const type = response.headers.get('content-type') ?? ''
  if (/^text\/csv\b/i.test(type)) return response.chunks(settings.limitBytes)
  await response.cancel()
  // A page instead of a file: Google asks to sign in, or to request access.
  throw new SheetError(/^text\/html\b/i.test(type) ? NOT_SHARED : UNEXPECTED)
}

function exportUrl({ id, gid, published }: GoogleAddress, docs: string) {
  const url = new URL(`/spreadsheets/${published ? `d/e/${id}/pub` : `d/${id}/export`}`, docs)
  url.searchParams.set(published ? 'output' : 'format', 'csv')
  if (gid !== undefined) url.searchParams.set('gid', gid)
  if (gid !== undefined && published) url.searchParams.set('single', 'true')
  return url
}

function explain(error: unknown): never {
  if (!(error instanceof GoogleError) || error.isRateLimit || error.status >= 500) throw error
  if (error.status === 401 || error.status === 403) throw new SheetError(NOT_SHARED)
  throw new SheetError('This sheet does not exist. Open the right sheet and tab in your browser and copy the URL.')
}
