import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import * as api from '@watchdesk/contract/source-import'
import { SheetError } from '../../adapters/sheets/sheets.ts'
import { type Call, earlierAnswer } from '../../db/idempotency.ts'
import type { App, Deps } from '../../deps.ts'
import { forbidden } from '../../problem.ts'
import { checkRows, readWithin, rowsOfRecords, rowsOfSheet } from './check.ts'
import { sourceImportStore } from './store.ts'

const READ_MS = TIMEOUT_MS.sources * 0.75

export function sourceImportRoutes(app: App, { db, rights, env, sheets }: Deps) {
  const sources = sourceImportStore(rights, sheets)

  app.route({ ...api.serviceAccount, handler: async () => ({ email: sheets.serviceAccount }) })
  app.route({
    ...api.importSources,
    bodyLimit: env.IMPORT_BODY_LIMIT_BYTES,
    handler: async ({ actor, body, headers, slot }) => {
      if (body.email.toLowerCase() !== actor.email.toLowerCase()) {
        throw forbidden('The email of an import must be your own.')
      }
      // Neither an earlier answer nor an outside sheet is for one who has lost the right meanwhile.
      await rights.check(actor)
      const key = headers['idempotency-key']
      const request = key === undefined ? '' : JSON.stringify(body)
      const call: Call = { name: 'POST /api/v1/source_import/sources', key, request }
      const earlier = await earlierAnswer<api.SourceImportResult>(db, actor, call)
      if (earlier) return earlier
      try {
        const checked = await checkRows(await rowsOf(body))
        return await slot.run(() => sources.create(actor, checked, call))
      } catch (error) {
        if (error instanceof SheetError) return nothingImported(error.message)
        throw error
      }
    },
  })

  async function rowsOf({ sheet_url, sheet_records }: api.SourceImport) {
    if (sheet_records !== null) return rowsOfRecords(sheet_records)
    return rowsOfSheet(await readWithin(READ_MS, (signal) => sheets.read(sheet_url ?? '', signal)))
  }
}

function nothingImported(error_message: string): api.SourceImportResult {
  return { error_message, requested_count: 0, inputs_count: 0, created_sheet_url: null }
}
