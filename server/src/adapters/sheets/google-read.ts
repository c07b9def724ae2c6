import type { GoogleAddress } from '@watchdesk/contract/sheet-address'
import { z } from 'zod'
import type { Deadline } from '../http.ts'
import { addressOf } from './google-address.ts'
import type { GoogleApi } from './google-api.ts'
import { GoogleError } from './google-request.ts'
import { collectRows } from './rows.ts'
import { type OnRows, type ReadSheet, SheetError } from './sheets.ts'

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
export async function readSpreadsheet(
  api: GoogleApi,
  address: GoogleAddress,
  deadline: Deadline,
  onRows?: OnRows,
): Promise<ReadSheet> {
  const { account, settings } = api
  const base = `${settings.sheets}/v4/spreadsheets/${address.id}`
  const explain = (error: unknown) => explainReading(error, account.email)

  const { sheets } = await api
    .call(`${base}?${new URLSearchParams({ fields: TAB_FIELDS })}`, Spreadsheet, deadline)
    .catch(explain)
  const tab = findTab(
    sheets.map(({ properties }) => properties),
    address.gid,
  )
  const { rowCount, columnCount } = tab.grid
  const batchRows = Math.max(1, Math.floor(settings.batchCells / Math.max(1, columnCount)))
  // Formatted values are what users see in Google Sheets, and what the CSV export contains.
  const options = new URLSearchParams({ majorDimension: 'ROWS', valueRenderOption: 'FORMATTED_VALUE' })

  const rows = collectRows(settings.rowLimit, onRows)
  for (let first = 1; first <= rowCount; first += batchRows) {
    const last = Math.min(first + batchRows - 1, rowCount)
    const range = encodeURIComponent(`'${tab.title.replaceAll("'", "''")}'!${first}:${last}`)
    const { values } = await api.call(`${base}/values/${range}?${options}`, Values, deadline).catch(explain)
    for (const cells of values) rows.add(cells.map((cell) => String(cell ?? '')))
    rows.skipTo(last)
    await rows.flush()
  }
  return { id: address.id, url: addressOf({ ...address, gid: String(tab.sheetId) }), ...rows.get() }
}

function findTab(tabs: z.output<typeof Tab>[], gid: string | undefined) {
  const tab = tabs.find(({ sheetId, gridProperties }) =>
    gid === undefined ? gridProperties !== undefined : String(sheetId) === gid,
  )
  if (tab?.gridProperties) return { ...tab, grid: tab.gridProperties }
  throw new SheetError(
    'The spreadsheet does not have this tab, or it has no cells. Open the right tab in your browser and copy its URL.',
  )
}

function explainReading(error: unknown, email: string): never {
  if (!(error instanceof GoogleError) || error.isRateLimit) throw error
  if (error.status === 403 || error.status === 404) {
    throw new SheetError(`Share the sheet with ${email} and try again.`)
  }
  if (error.reason === 'FAILED_PRECONDITION') {
    throw new SheetError('This is an Excel file. Save it as a Google sheet, and use the URL of that sheet.')
  }
  throw error
}
