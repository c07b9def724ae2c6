import { sql } from 'kysely'
import type { ServiceAccount } from './google-account.ts'
import { googleAddress } from './google-address.ts'
import { createApi } from './google-api.ts'
import { within } from './google-call.ts'
import { createSpreadsheet } from './google-create.ts'
import { readExport } from './google-export.ts'
import { readSpreadsheet } from './google-read.ts'
import { GOOGLE, type GoogleSettings } from './google-settings.ts'
import { SheetError, type Sheets } from './sheets.ts'

export const NO_SPREADSHEET = 'This is not the address of a Google spreadsheet. Copy it from the browser.'

/** Sheets in Google Sheets, as a service account. */
export function createGoogleSheets(account: ServiceAccount, options: Partial<GoogleSettings> = {}): Sheets {
  const settings = { ...GOOGLE, ...options }
  const { firstWaitMs, readMs, createMs } = settings
  const api = createApi(account, settings)
  return {
    serviceAccount: account.email,

    async create(trx, actor, sheet) {
      // The transaction waits for Google without a statement of its own, longer than it otherwise might.
      await sql`select set_config('idle_in_transaction_session_timeout', ${`${createMs * 2}ms`}, true)`.execute(trx)
      return within({ ms: createMs, firstWaitMs }, (deadline) => createSpreadsheet(api, sheet, actor.email, deadline))
    },

    async read(reference, signal) {
      const address = googleAddress(reference)
      if (!address) throw new SheetError(NO_SPREADSHEET)
      return within({ ms: readMs, firstWaitMs, signal }, (deadline) =>
        address.published ? readExport(address, settings, deadline) : readSpreadsheet(api, address, deadline),
      )
    },
  }
}
