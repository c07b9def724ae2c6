import type { ServiceAccount } from './google-account.ts'
import { requireAddress } from './google-address.ts'
import { createApi } from './google-api.ts'
import { createSpreadsheet } from './google-create.ts'
import { readExport } from './google-export.ts'
import { readSpreadsheet } from './google-read.ts'
import { withTimeLimit } from './google-request.ts'
import { GOOGLE, type GoogleSettings } from './google-settings.ts'
import type { Sheets } from './sheets.ts'

/** Sheets in Google Sheets, as a service account. */
export function createGoogleSheets(account: ServiceAccount, options: Partial<GoogleSettings> = {}): Sheets {
  const settings = { ...GOOGLE, ...options }
  const api = createApi(account, settings)
  return {
    serviceAccount: account.email,

    create: (_trx, { email }, sheet) =>
      withTimeLimit({ ms: settings.createMs }, (deadline) => createSpreadsheet(api, sheet, email, deadline)),

    async read(reference, signal, onRows) {
      const address = requireAddress(reference)
      return withTimeLimit({ ms: settings.readMs, signal }, (deadline) =>
        address.published
          ? readExport(address, settings, deadline, onRows)
          : readSpreadsheet(api, address, deadline, onRows),
      )
    },
  }
}
