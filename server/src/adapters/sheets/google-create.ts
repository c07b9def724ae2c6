import { z } from 'zod'
import type { Deadline } from '../http.ts'
import { columnName, cutCell } from '../tables/write-xlsx.ts'
import { addressOf } from './google-address.ts'
import type { GoogleApi } from './google-api.ts'
import { GoogleError, withTimeLimit } from './google-request.ts'
import { type NewSheet, SheetError, type SheetReference } from './sheets.ts'

const MAX_CELLS = 10_000_000
const MAX_CELL_CHARACTERS = 50_000
const CLEAN_UP_MS = 8000
const SPREADSHEET_TYPE = 'application/vnd.google-apps.spreadsheet'

const SpreadsheetId = z.string().regex(/^[\w-]{20,100}$/)
const Created = z.object({ spreadsheetId: SpreadsheetId })
const CreatedFile = z.object({ id: SpreadsheetId })
const FirstTab = z.object({ sheets: z.tuple([z.object({ properties: z.object({ sheetId: z.int().default(0) }) })]) })
const AnyBody = z.object({})

type Grid = { rowCount: number; columnCount: number; frozenRowCount: number }

/** Creates, fills and shares a spreadsheet, and deletes it again if one of these fails. */
export async function createSpreadsheet(
  api: GoogleApi,
  sheet: NewSheet,
  email: string,
  deadline: Deadline,
): Promise<SheetReference> {
  const grid = gridOf(sheet)
  const id = await createFile(api, sheet.title, grid, deadline).catch((error) => explainCreating(error, api))
  try {
    if (api.settings.folder !== undefined) await resize(api, id, grid, deadline)
    await writeRows(api, id, sheet, grid, deadline)
    await share(api, id, email, deadline)
  } catch (error) {
    await remove(api, id).catch(() => {})
    throw error
  }
  return { id, url: addressOf({ id, gid: undefined, published: false }) }
}

/** The size of the content: Google's default of 1,000 by 26 has too few rows, and empty cells count against the limit. */
function gridOf({ header, row_count }: NewSheet): Grid {
  const columnCount = Math.max(1, header.length)
  // A frozen header needs a row below it.
  const rowCount = Math.max(2, row_count + 1)
  if (rowCount * columnCount > MAX_CELLS) {
    throw new SheetError('Google Sheets allows at most 10,000,000 cells. Split the file into smaller ones.')
  }
  return { rowCount, columnCount, frozenRowCount: 1 }
}

async function createFile({ call, settings }: GoogleApi, title: string, gridProperties: Grid, deadline: Deadline) {
  if (settings.folder === undefined) {
    const body = JSON.stringify({ properties: { title }, sheets: [{ properties: { gridProperties } }] })
    const url = `${settings.sheets}/v4/spreadsheets?fields=spreadsheetId`
    return (await call(url, Created, deadline, { method: 'POST', body, isIdempotent: false })).spreadsheetId
  }
  const body = JSON.stringify({ name: title, mimeType: SPREADSHEET_TYPE, parents: [settings.folder] })
  const url = `${settings.drive}/v3/files?supportsAllDrives=true&fields=id`
  return (await call(url, CreatedFile, deadline, { method: 'POST', body, isIdempotent: false })).id
}

/** A spreadsheet created through Drive has the default grid size. */
async function resize({ call, settings }: GoogleApi, id: string, gridProperties: Grid, deadline: Deadline) {
  const url = `${settings.sheets}/v4/spreadsheets/${id}`
  const { sheets } = await call(`${url}?fields=sheets.properties.sheetId`, FirstTab, deadline)
  const properties = { sheetId: sheets[0].properties.sheetId, gridProperties }
  const requests = [{ updateSheetProperties: { properties, fields: 'gridProperties' } }]
  await call(`${url}:batchUpdate`, AnyBody, deadline, { method: 'POST', body: JSON.stringify({ requests }) })
}

/** RAW: text that looks like a formula stays text. */
async function writeRows({ call, settings }: GoogleApi, id: string, sheet: NewSheet, grid: Grid, deadline: Deadline) {
  const lastColumn = columnName(grid.columnCount - 1)
  let first = 1
  for await (const { rows, count } of batches(sheet, settings.batchBytes)) {
    const range = `A${first}:${lastColumn}${first + count - 1}`
    const url = `${settings.sheets}/v4/spreadsheets/${id}/values/${range}?valueInputOption=RAW`
    const body = `{"range":"${range}","majorDimension":"ROWS","values":[${rows}]}`
    await call(url, AnyBody, deadline, { method: 'PUT', body })
    first += count
  }
}

async function* allRows({ header, rows }: NewSheet) {
  yield header
  for await (const batch of rows.parts()) yield* batch
}

async function* batches(sheet: NewSheet, batchBytes: number) {
  let texts: string[] = []
  let bytes = 0
  for await (const row of allRows(sheet)) {
    const text = JSON.stringify(row.map((cell) => cutCell(cell, MAX_CELL_CHARACTERS)))
    const size = Buffer.byteLength(text) + 1
    if (texts.length > 0 && bytes + size > batchBytes) {
      yield { rows: texts.join(','), count: texts.length }
      texts = []
      bytes = 0
    }
    texts.push(text)
    bytes += size
  }
  yield { rows: texts.join(','), count: texts.length }
}

async function share(api: GoogleApi, id: string, emailAddress: string, deadline: Deadline) {
  const permit = (sendNotificationEmail: string) => {
    const query = new URLSearchParams({ sendNotificationEmail, supportsAllDrives: 'true', fields: 'id' })
    const body = JSON.stringify({ type: 'user', role: 'writer', emailAddress })
    const url = `${api.settings.drive}/v3/files/${id}/permissions?${query}`
    return api.call(url, AnyBody, deadline, { method: 'POST', body })
  }
  try {
    // An address without a Google account needs an invitation by email.
    await permit('false').catch((error) => {
      if (error instanceof GoogleError && error.reason === 'invalidSharingRequest') return permit('true')
      throw error
    })
  } catch (error) {
    if (!(error instanceof GoogleError) || error.isRateLimit || error.status >= 500) throw error
    throw new SheetError(
      `Google did not share the sheet with ${emailAddress}. Check that this address has a Google account.`,
    )
  }
}

async function remove({ callVoid, settings }: GoogleApi, id: string) {
  const url = `${settings.drive}/v3/files/${id}?supportsAllDrives=true`
  // On a shared drive, content managers can move files to the trash but not delete them.
  const request =
    settings.folder === undefined ? { method: 'DELETE' } : { method: 'PATCH', body: JSON.stringify({ trashed: true }) }
  await withTimeLimit({ ms: CLEAN_UP_MS }, (deadline) => callVoid(url, deadline, request))
}

function explainCreating(error: unknown, { account, settings }: GoogleApi): never {
  if (!(error instanceof GoogleError) || error.isRateLimit || ![403, 404].includes(error.status)) throw error
  throw new SheetError(
    settings.folder === undefined
      ? `${account.email} has no storage space for a sheet at Google. Ask your administrator to set GOOGLE_DRIVE_FOLDER to a folder of a shared drive.`
      : `${account.email} cannot write to the folder of GOOGLE_DRIVE_FOLDER. Ask your administrator to make it a content manager there.`,
  )
}
