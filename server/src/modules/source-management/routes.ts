import type { Platform } from '@watchdesk/contract/enums'
import * as contract from '@watchdesk/contract/source-management'
import * as schemas from '@watchdesk/contract/source-management.schema'
import { sourceColumns } from '@watchdesk/contract/source-row'
import { sourcesSheetKey } from '@watchdesk/contract/website-config'
import type { FastifyRequest } from 'fastify'
import { SheetError } from '../../adapters/sheets/sheets.ts'
import type { App, Deps } from '../../deps.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { withTemporaryFile } from '../../plugins/receive.ts'
import { checkFile, checkSheet, spoolSheet } from '../source-import/spool.ts'
import { sourceManagementStore } from './store.ts'

const api = withSchemas(contract, schemas)

export function sourceManagementRoutes(app: App, { db, rights, sheets }: Deps) {
  const sources = sourceManagementStore(db, rights, sheets)

  app.route({
    ...api.importPlatformSources,
    handler: (request) => importFrom(request, request.body.platform),
  })
  app.route({
    ...api.exportPlatformSources,
    handler: async ({ actor, body: { platform }, slot }): Promise<contract.SourcesExportResult> => {
      const made = await slot.run(() => sources.exportAll(actor, platform)).catch(messageOf)
      if (typeof made !== 'string') return { platform, export_status: 'SUCCESS', error_message: null, ...made }
      return { platform, export_status: 'FAILED', error_message: made, created_sheet_url: null, exported_count: 0 }
    },
  })

  async function importFrom(request: FastifyRequest, platform: Platform): Promise<contract.SourcesImportResult> {
    const { actor, slot } = request
    await rights.check(actor)
    const reference = await sources.sheetOf(platform)
    if (reference === '') return failed(platform, notConfigured(platform))
    return withTemporaryFile(request, async (path) => {
      const sheet = await spoolSheet(sheets, reference, path).catch(messageOf)
      if (typeof sheet === 'string') return failed(platform, sheet)
      const place = { sheet_id: sheet.id, sheet_url: sheet.url }
      try {
        checkSheet(sheet)
      } catch (error) {
        return { ...failed(platform, messageOf(error)), ...place }
      }
      const hasCountry = sourceColumns(sheet.header)?.country !== undefined
      const pieces = checkFile({ path, kind: 'rows', platform })
      const done = await slot
        .run(() => sources.upsert(actor, platform, pieces, { hasCountry, sheet_url: sheet.url }))
        .catch(messageOf)
      if (typeof done === 'string') return { ...failed(platform, done), ...place }
      const { skipped, ...counts } = done
      const skipped_rows = skipped.map(({ number, outcome }) => ({ row: number, reason: reasonOf(outcome) }))
      if (counts.skipped_count === sheet.rows) {
        const error_message = `No row of the sheet could be imported. Row ${skipped_rows[0]?.row}: ${skipped_rows[0]?.reason}.`
        return { ...failed(platform, error_message), ...place, skipped_count: counts.skipped_count, skipped_rows }
      }
      const import_status = counts.skipped_count === 0 ? 'SUCCESS' : 'PARTIAL'
      return { platform, import_status, error_message: null, ...place, ...counts, skipped_rows }
    })
  }
}

/** Errors that the user can fix are part of the response; all others fail the call. */
function messageOf(error: unknown): string {
  if (error instanceof SheetError) return error.message
  throw error
}

function notConfigured(platform: Platform) {
  return `No sheet is set for ${platform}. Export its sources first, or set ${sourcesSheetKey(platform)} in the website config.`
}

function reasonOf(outcome: string): string {
  if (outcome === 'unsupported platform') return 'URL of another platform'
  return outcome === 'repeated in the file' ? 'repeated in the sheet' : outcome
}

function failed(platform: Platform, error_message: string): contract.SourcesImportResult {
  return {
    platform,
    import_status: 'FAILED',
    sheet_id: null,
    error_message,
    sheet_url: null,
    created_count: 0,
    updated_count: 0,
    unchanged_count: 0,
    skipped_count: 0,
    skipped_rows: [],
  }
}
