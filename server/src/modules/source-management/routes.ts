import type { Platform } from '@watchdesk/contract/enums'
import * as contract from '@watchdesk/contract/source-management'
import * as schemas from '@watchdesk/contract/source-management.schema'
import { sourceColumns } from '@watchdesk/contract/source-row'
import { sourcesSheetKey } from '@watchdesk/contract/website-config'
import type { FastifyRequest } from 'fastify'
import { SheetError } from '../../adapters/sheets/sheets.ts'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { withTemporaryFile } from '../../plugins/receive.ts'
import { recordFailure } from '../operations/record.ts'
import { checkSheet, checkSpooled, spoolSheet } from '../source-import/spool.ts'
import { sourceManagementStore } from './store.ts'

export function sourceManagementRoutes(app: App, deps: Deps) {
  const { rights, sheets } = deps
  const sources = sourceManagementStore(deps)

  addRoutes(app, contract, schemas, {
    async importPlatformSources(request) {
      const { platform } = request.body
      const result = await importFrom(request, platform)
      const { error_message: error, sheet_url, import_id } = result
      // One that could read its rows is recorded with them.
      if (error !== null && import_id === undefined)
        await recordFailure(rights, request.actor, { kind: 'platform_import', platform, sheet_url, error })
      return result
    },
    async exportPlatformSources({ actor, body: { platform }, slot }): Promise<contract.SourcesExportResult> {
      const made = await slot.run(() => sources.exportAll(actor, platform)).catch(messageOf)
      if (typeof made !== 'string') return { platform, export_status: 'SUCCESS', error_message: null, ...made }
      await recordFailure(rights, actor, { kind: 'export', platform, error: made })
      return { platform, export_status: 'FAILED', error_message: made, created_sheet_url: null, exported_count: 0 }
    },
  })

  async function importFrom(request: FastifyRequest, platform: Platform): Promise<contract.SourcesImportResult> {
    const { actor, slot } = request
    await rights.check(actor)
    const reference = await sources.sheetOf(platform)
    if (reference === '') return failed(platform, notConfigured(platform))
    return withTemporaryFile(request, async (path) => {
      let place = {}
      try {
        const { id: sheet_id, url: sheet_url, ...sheet } = await spoolSheet(sheets, reference, path)
        place = { sheet_id, sheet_url }
        checkSheet(sheet)
        const hasCountry = sourceColumns(sheet.header)?.country !== undefined
        const pieces = checkSpooled({ path, kind: 'rows', platform })
        const done = await slot.run(() => sources.upsert(actor, { pieces }, { platform, hasCountry, sheet_url }))
        const { skipped_count, skipped_rows, import_id } = done
        if (skipped_count === sheet.rows) {
          const [first] = skipped_rows
          const error_message = `No row of the sheet could be imported. Row ${first?.row}: ${first?.reason}.`
          return { ...failed(platform, error_message), ...place, skipped_count, skipped_rows, import_id }
        }
        const import_status = skipped_count === 0 ? 'SUCCESS' : 'PARTIAL'
        return { platform, import_status, error_message: null, sheet_id, sheet_url, ...done }
      } catch (error) {
        return { ...failed(platform, messageOf(error)), ...place }
      }
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
