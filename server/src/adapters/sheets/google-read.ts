import { z } from 'zod'
import { addressOf, type GoogleAddress } from './google-address.ts'
import type { GoogleApi } from './google-api.ts'
import { type GoogleDeadline, GoogleRefusal } from './google-request.ts'
import { collectRows } from './rows.ts'
import { type ReadSheet, SheetError, type TakeRows } from './sheets.ts'

const TAB_FIELDS = 'sheets.properties(sheetId,title,gridProperties(rowCount,columnCount))'

const Tab = z.object({
  sheetId: z.int().default(0),
  title: z.string(),
  // A tab that holds a chart has none.
  gridProperties: z.object({ rowCount: z.int(), columnCount: z.int() }).optional(),
})
const Spreadsheet = z.object({ sheets: z.array(z.object({ properties: Tab })) })
const Values = z.object({ values: z.array(z.array(z.unknown())).default([]) })

/** In parts: Google's answers stay of a size that can be read at once. */
export async function readSpreadsheet(
  api: GoogleApi,
  address: GoogleAddress,
  deadline: GoogleDeadline,
  take?: TakeRows,
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
  const atOnce = Math.max(1, Math.floor(settings.batchCells / Math.max(1, columnCount)))
  // Formatted, so a person gets what they see, and the same as through the CSV export.
  const options = new URLSearchParams({ majorDimension: 'ROWS', valueRenderOption: 'FORMATTED_VALUE' })

  const rows = collectRows(settings.rowLimit, take)
  for (let first = 1; first <= rowCount; first += atOnce) {
    const last = Math.min(first + atOnce - 1, rowCount)
    const range = encodeURIComponent(`'${tab.title.replaceAll("'", "''")}'!${first}:${last}`)
    const { values } = await api.call(`${base}/values/${range}?${options}`, Values, deadline).catch(explain)
    for (const cells of values) rows.add(cells.map((cell) => String(cell ?? '')))
    rows.skipTo(last)
    await rows.handOn()
  }
  return { id: address.id, url: addressOf({ ...address, gid: String(tab.sheetId) }), ...rows.get() }
}

function findTab(tabs: z.output<typeof Tab>[], gid: string | undefined) {
  const tab = tabs.find(({ sheetId, gridProperties }) =>
    gid === undefined ? gridProperties !== undefined : String(sheetId) === gid,
  )
  if (tab?.gridProperties) return { ...tab, grid: tab.gridProperties }
  throw new SheetError('The spreadsheet has no such tab with cells. Copy the address from the browser, with it open.')
}

function explainReading(error: unknown, email: string): never {
  if (!(error instanceof GoogleRefusal) || error.isRate) throw error
  if (error.status === 403 || error.status === 404) {
    throw new SheetError(`Share the sheet with ${email} and try again.`)
  }
  if (error.reason === 'FAILED_PRECONDITION') {
    throw new SheetError('This is an Excel file. Save it as a Google spreadsheet and use the address of that one.')
  }
  throw error
}
