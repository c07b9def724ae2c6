import type { GoogleAddress } from '@watchdesk/contract/sheet-address'
import { z } from 'zod'
import type { GoogleApi } from './google-account.ts'
import { addressOf } from './google-address.ts'
import { GoogleError } from './google-request.ts'
import { collectRows } from './rows.ts'
import { type OnRows, SheetError } from './sheets.ts'

const TAB_FIELDS = 'sheets.properties(sheetId,title,gridProperties(rowCount,columnCount))'

const Tab = z.object({
  sheetId: z.int().default(0),
  title: z.string(),
  // Tabs with a chart have none.
  gridProperties: z.object({ rowCount: z.int(), columnCount: z.int() }).optional(),
})
const Spreadsheet = z.object({ sheets: z.array(z.object({ properties: Tab })) })
const Values = z.object({ values: z.array(z.array(z.unknown())).default([]) })

/** Reads a spreadsheet in batches, so that each response fits in memory. */
export async function readSpreadsheet({ call, account, settings }: GoogleApi, address: GoogleAddress, onRows: OnRows) {
  const base = `${settings.sheets}/v4/spreadsheets/${address.id}`
  const read = <Schema extends z.ZodType>(path: string, query: Record<string, string>, schema: Schema) =>
    call(`${base}${path}?${new URLSearchParams(query)}`, schema).catch((error: unknown) =>
      explain(error, account.email),
    )

  const { sheets } = await read('', { fields: TAB_FIELDS }, Spreadsheet)
  const { sheetId, title, rowCount, columnCount } = findTab(sheets, address.gid)
  const batchRows = Math.max(1, Math.floor(settings.batchCells / Math.max(1, columnCount)))

  const rows = collectRows(settings.rowLimit, onRows)
  for (let first = 1; first <= rowCount; first += batchRows) {
    const last = Math.min(first + batchRows - 1, rowCount)
    const range = encodeURIComponent(`'${title.replaceAll("'", "''")}'!${first}:${last}`)
    // Formatted values are what users see in Google Sheets, and what the CSV export contains.
    const options = { majorDimension: 'ROWS', valueRenderOption: 'FORMATTED_VALUE' }
    const { values } = await read(`/values/${range}`, options, Values)
    for (const [index, cells] of values.entries()) {
      rows.add({ row: first + index, cells: cells.map((cell) => String(cell ?? '')) })
    }
    await rows.flush()
  }
  return { id: address.id, url: addressOf({ ...address, gid: String(sheetId) }), header: rows.header() }
}

function findTab(sheets: z.output<typeof Spreadsheet>['sheets'], gid: string | undefined) {
  const found = sheets.find(({ properties: { sheetId, gridProperties } }) =>
    gid === undefined ? gridProperties !== undefined : String(sheetId) === gid,
  )
  if (found?.properties.gridProperties) return { ...found.properties, ...found.properties.gridProperties }
  throw new SheetError(
    'The spreadsheet does not have this tab, or it has no cells. Open the right tab in your browser and copy its URL.',
  )
}

function explain(error: unknown, email: string): never {
  if (!(error instanceof GoogleError) || error.isRateLimit) throw error
  if (error.status === 403 || error.status === 404) {
    throw new SheetError(`Share the sheet with ${email} and try again.`)
  }
  if (error.reason === 'FAILED_PRECONDITION') {
    throw new SheetError('This is an Excel file. Save it as a Google sheet, and use the URL of that sheet.')
  }
  throw error
}
