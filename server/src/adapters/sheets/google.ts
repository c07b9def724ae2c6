import { parseGoogleAddress } from '@watchdesk/contract/sheet-address'
import type { RowBatch } from '../../db/row-sets.ts'
import { openApi, type ServiceAccount } from './google-account.ts'
import { createSpreadsheet } from './google-create.ts'
import { readExport } from './google-export.ts'
import { readSpreadsheet } from './google-read.ts'
import { withTimeLimit } from './google-request.ts'
import { GOOGLE, type GoogleSettings } from './google-settings.ts'
import { type NewSheet, type OnRows, SheetError } from './sheets.ts'

/** Sheets in Google Sheets. Without an account, only those that are shared with anyone who has the link can be read. */
export function createGoogleSheets(account: ServiceAccount | undefined, options: Partial<GoogleSettings> = {}) {
  const settings = { ...GOOGLE, ...options }

  async function read(reference: string, onRows: OnRows, signal?: AbortSignal) {
    const address = parseGoogleAddress(reference)
    if (!address) {
      throw new SheetError(
        `${reference.trim()} is not the complete URL of a sheet. Open the sheet in your browser and copy its URL.`,
      )
    }
    return withTimeLimit({ ms: settings.readMs, signal }, async (deadline) => {
      if (!account || address.published) return readExport(settings, deadline, address, onRows)
      return readSpreadsheet(await openApi(account, settings, deadline), address, onRows)
    })
  }

  if (!account) return { read }

  const create = (sheet: NewSheet, rows: AsyncIterable<RowBatch>, email: string) =>
    withTimeLimit({ ms: settings.createMs }, async (deadline) =>
      createSpreadsheet(await openApi(account, settings, deadline), { sheet, rows, email }),
    )
  return { read, create }
}
