import { pipeline } from 'node:stream/promises'
import { parseCsv } from '@watchdesk/contract/csv-parser'
import { TableError } from '@watchdesk/contract/table-error'
import type { HttpResponse } from '../http.ts'
import { addressNamed, addressOf, type GoogleAddress } from './google-address.ts'
import { type GoogleDeadline, GoogleRefusal, NOT_UNDERSTOOD, send, within } from './google-request.ts'
import { GOOGLE, type GoogleSettings } from './google-settings.ts'
import { collectRows } from './rows.ts'
import { type ReadSheet, SheetError, type TakeRows } from './sheets.ts'

const NOT_SHARED = 'This sheet is not shared. Share it with anyone who has the link, and try again.'

/** A sheet that anyone with the link may see, without an account: through its CSV export. */
export async function readSharedSheet(
  reference: string,
  options: Partial<GoogleSettings> = {},
  signal?: AbortSignal,
  take?: TakeRows,
) {
  const address = addressNamed(reference)
  const settings = { ...GOOGLE, ...options }
  const time = { ms: settings.readMs, firstWaitMs: settings.firstWaitMs, signal }
  return within(time, (deadline) => readExport(address, settings, deadline, take))
}

export async function readExport(
  address: GoogleAddress,
  settings: GoogleSettings,
  deadline: GoogleDeadline,
  take?: TakeRows,
): Promise<ReadSheet> {
  const response = await download(address, settings, deadline)
  const rows = collectRows(settings.rowLimit, take)
  const parser = parseCsv(',', ({ cells }) => rows.add(cells))
  const decoder = new TextDecoder()
  await pipeline(
    response.chunks(settings.limitBytes),
    async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) {
        parser.write(decoder.decode(chunk, { stream: true }))
        await rows.handOn()
      }
      parser.write(decoder.decode())
      parser.end()
    },
    { signal: deadline.signal },
  ).catch((error: unknown) => {
    throw error instanceof TableError ? new SheetError(NOT_UNDERSTOOD) : error
  })
  return { id: address.id, url: addressOf(address), ...rows.get() }
}

/** Redirects are followed only within Google. */
async function download(address: GoogleAddress, settings: GoogleSettings, deadline: GoogleDeadline) {
  const checkRedirect = (url: URL) => {
    if (url.hostname === 'accounts.google.com') throw new SheetError(NOT_SHARED)
    if (settings.mayFollow(url)) return
    throw new SheetError('The download led away from Google Sheets and was not followed.')
  }
  const request = { headers: { accept: 'text/csv' }, checkRedirect }
  return takeCsv(await send(exportOf(address, settings.docs), request, deadline).catch(explain))
}

function exportOf({ id, gid, published }: GoogleAddress, docs: string) {
  const path = published ? `d/e/${id}/pub` : `d/${id}/export`
  const url = new URL(`/spreadsheets/${path}`, docs)
  url.searchParams.set(published ? 'output' : 'format', 'csv')
  if (gid !== undefined) url.searchParams.set('gid', gid)
  if (gid !== undefined && published) url.searchParams.set('single', 'true')
  return url
}

async function takeCsv(response: HttpResponse) {
  const type = response.headers.get('content-type') ?? ''
  if (/^text\/csv\b/i.test(type)) return response
  await response.cancel()
  // A page instead of a file: to sign in, or to ask the owner.
  throw new SheetError(/^text\/html\b/i.test(type) ? NOT_SHARED : NOT_UNDERSTOOD)
}

function explain(error: unknown): never {
  if (!(error instanceof GoogleRefusal) || error.isRate || error.status >= 500) throw error
  if (error.status === 401 || error.status === 403) throw new SheetError(NOT_SHARED)
  throw new SheetError('There is no such sheet. Copy the address from the browser, with the right tab open.')
}
