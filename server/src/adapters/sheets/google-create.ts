import { z } from 'zod'
import type { RowBatch } from '../../db/row-sets.ts'
import { columnName, cutCell } from '../tables/write-xlsx.ts'
import type { GoogleApi } from './google-account.ts'
import { addressOf } from './google-address.ts'
import { GoogleError, withTimeLimit } from './google-request.ts'
import { type NewSheet, SheetError } from './sheets.ts'

const MAX_CELLS = 10_000_000
const MAX_CELL_CHARACTERS = 50_000
const CLEAN_UP_MS = 8000
const SPREADSHEET_TYPE = 'application/vnd.google-apps.spreadsheet'

const SpreadsheetId = z.string().regex(/^[\w-]{20,100}$/)
const Created = z.object({ spreadsheetId: SpreadsheetId })
const CreatedFile = z.object({ id: SpreadsheetId })
const FirstTab = z.object({ sheets: z.tuple([z.object({ properties: z.object({ sheetId: z.int().default(0) }) })]) })
const AnyBody = z.object({})

type Content = { sheet: NewSheet; rows: AsyncIterable<RowBatch>; email: string }

/** Creates, fills and shares a spreadsheet, and deletes it again if one of these fails. */
export async function createSpreadsheet({ call, account, settings }: GoogleApi, { sheet, rows, email }: Content) {
  const spreadsheets = `${settings.sheets}/v4/spreadsheets`
  const files = `${settings.drive}/v3/files`
  const gridProperties = gridOf(sheet)
  const lastColumn = columnName(gridProperties.columnCount - 1)
  const id = await createFile().catch(explainCreating)
  try {
    if (settings.folder !== undefined) await resize()
    await writeRows()
    await share()
  } catch (error) {
    await remove().catch(() => {})
    throw error
  }
  return { id, url: addressOf({ id, gid: undefined, published: false }) }

  async function createFile() {
    const request = { method: 'POST', isIdempotent: false }
    if (settings.folder === undefined) {
      const json = { properties: { title: sheet.title }, sheets: [{ properties: { gridProperties } }] }
      return (await call(`${spreadsheets}?fields=spreadsheetId`, Created, { ...request, json })).spreadsheetId
    }
    const json = { name: sheet.title, mimeType: SPREADSHEET_TYPE, parents: [settings.folder] }
    return (await call(`${files}?supportsAllDrives=true&fields=id`, CreatedFile, { ...request, json })).id
  }

  function explainCreating(error: unknown): never {
    if (!(error instanceof GoogleError) || error.isRateLimit || ![403, 404].includes(error.status)) throw error
    throw new SheetError(
      settings.folder === undefined
        ? `${account.email} has no storage space for a sheet at Google. Ask your administrator to set GOOGLE_DRIVE_FOLDER to a folder of a shared drive.`
        : `${account.email} cannot write to the folder of GOOGLE_DRIVE_FOLDER. Ask your administrator to make it a content manager there.`,
    )
  }

  /** A spreadsheet created through Drive has the default grid size. */
  async function resize() {
    const { sheets } = await call(`${spreadsheets}/${id}?fields=sheets.properties.sheetId`, FirstTab)
    const properties = { sheetId: sheets[0].properties.sheetId, gridProperties }
    const json = { requests: [{ updateSheetProperties: { properties, fields: 'gridProperties' } }] }
    await call(`${spreadsheets}/${id}:batchUpdate`, AnyBody, { method: 'POST', json })
  }

  /** RAW: text that looks like a formula stays text. */
  async function writeRows() {
    let first = 1
    for await (const values of batches(sheet.header, rows, settings.batchBytes)) {
      const range = `A${first}:${lastColumn}${first + values.length - 1}`
      const json = { range, majorDimension: 'ROWS', values }
      await call(`${spreadsheets}/${id}/values/${range}?valueInputOption=RAW`, AnyBody, { method: 'PUT', json })
      first += values.length
    }
  }

  async function share() {
    // An address without a Google account needs an invitation by email.
    const invite = (error: unknown) => {
      if (error instanceof GoogleError && error.reason === 'invalidSharingRequest') return permit('true')
      throw error
    }
    await permit('false')
      .catch(invite)
      .catch((error: unknown) => {
        if (!(error instanceof GoogleError) || error.isRateLimit || error.status >= 500) throw error
        throw new SheetError(
          `Google did not share the sheet with ${email}. Check that this address has a Google account.`,
        )
      })
  }

  function permit(sendNotificationEmail: string) {
    const query = new URLSearchParams({ sendNotificationEmail, supportsAllDrives: 'true', fields: 'id' })
    const json = { type: 'user', role: 'writer', emailAddress: email }
    return call(`${files}/${id}/permissions?${query}`, AnyBody, { method: 'POST', json })
  }

  function remove() {
    // On a shared drive, content managers can move files to the trash but not delete them.
    const request = settings.folder === undefined ? { method: 'DELETE' } : { method: 'PATCH', json: { trashed: true } }
    return withTimeLimit({ ms: CLEAN_UP_MS }, (deadline) =>
      call(`${files}/${id}?supportsAllDrives=true`, z.unknown(), request, deadline),
    )
  }
}

/** The size of the content: Google's default of 1,000 by 26 has too few rows, and empty cells count against the limit. */
function gridOf({ header, row_count }: NewSheet) {
  const columnCount = Math.max(1, header.length)
  // A frozen header needs a row below it.
  const rowCount = Math.max(2, row_count + 1)
  if (rowCount * columnCount > MAX_CELLS) {
    throw new SheetError('Google Sheets allows at most 10,000,000 cells. Split the file into smaller ones.')
  }
  return { rowCount, columnCount, frozenRowCount: 1 }
}

async function* batches(header: readonly string[], parts: AsyncIterable<RowBatch>, batchBytes: number) {
  let batch = [header]
  let bytes = Buffer.byteLength(JSON.stringify(header))
  for await (const part of parts) {
    for (const written of part) {
      const row = written.map((cell) => cutCell(cell, MAX_CELL_CHARACTERS))
      const size = Buffer.byteLength(JSON.stringify(row)) + 1
      if (bytes + size > batchBytes) {
        yield batch
        batch = []
        bytes = 0
      }
      batch.push(row)
      bytes += size
    }
  }
  yield batch
}
