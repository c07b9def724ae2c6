import type { Platform } from '@watchdesk/contract/enums'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import * as api from '@watchdesk/contract/source-management'
import type { CheckedRow } from '@watchdesk/contract/sources'
import { sourceColumns } from '@watchdesk/contract/sources'
import { sourcesSheetKey } from '@watchdesk/contract/website-config'
import type { Actor } from '../../actor.ts'
import { SheetError } from '../../adapters/sheets/sheets.ts'
import type { App, Deps } from '../../deps.ts'
import type { ImportSlot } from '../../semaphore.ts'
import { checkRows, readWithin, rowsOfSheet } from '../source-import/check.ts'
import { sourceManagementStore } from './store.ts'

const READ_MS = TIMEOUT_MS.sources * 0.75
const SKIPPED_ROWS_LISTED = 10

export function sourceManagementRoutes(app: App, { db, rights, sheets }: Deps) {
  const sources = sourceManagementStore(db, rights, sheets)

  app.route({
    ...api.importPlatformSources,
    handler: ({ actor, body, slot }) => importFrom(actor, body.platform, slot),
  })
  app.route({
    ...api.exportPlatformSources,
    handler: async ({ actor, body: { platform }, slot }): Promise<api.SourcesExportResult> => {
      const made = await slot.run(() => sources.exportAll(actor, platform)).catch(messageOf)
      if (typeof made !== 'string') return { platform, export_status: 'SUCCESS', error_message: null, ...made }
      return { platform, export_status: 'FAILED', error_message: made, created_sheet_url: null, exported_count: 0 }
    },
  })

  async function importFrom(actor: Actor, platform: Platform, slot: ImportSlot): Promise<api.SourcesImportResult> {
    await rights.check(actor)
    const reference = await sources.sheetOf(platform)
    if (reference === '') return failed(platform, notConfigured(platform))
    const sheet = await readWithin(READ_MS, (signal) => sheets.read(reference, signal)).catch(messageOf)
    if (typeof sheet === 'string') return failed(platform, sheet)
    const place = { sheet_id: sheet.id, sheet_url: sheet.url }
    const checked = await checkAll(sheet, platform).catch(messageOf)
    if (typeof checked === 'string') return { ...failed(platform, checked), ...place }

    const skipped = checked.filter(({ outcome }) => outcome !== 'requested')
    const skipped_rows = skipped
      .slice(0, SKIPPED_ROWS_LISTED)
      .map(({ row, outcome }) => ({ row, reason: reasonOf(outcome, platform) }))
    if (skipped.length === checked.length) {
      const error_message = `None of the ${checked.length} rows of the sheet could be taken over. Row ${skipped_rows[0]?.row}: ${skipped_rows[0]?.reason}.`
      return { ...failed(platform, error_message), ...place, skipped_count: skipped.length, skipped_rows }
    }
    const hasCountry = sourceColumns(sheet.header)?.country !== undefined
    const counts = await slot.run(() => sources.upsert(actor, platform, checked, { hasCountry }))
    const import_status = skipped.length === 0 ? 'SUCCESS' : 'PARTIAL'
    return { platform, import_status, error_message: null, ...place, ...counts, skipped_rows }
  }
}

async function checkAll(sheet: Parameters<typeof rowsOfSheet>[0], platform: Platform) {
  return checkRows(rowsOfSheet(sheet), platform)
}

/** What a person can mend is part of the answer; everything else fails the call. */
function messageOf(error: unknown): string {
  if (error instanceof SheetError) return error.message
  throw error
}

function notConfigured(platform: Platform) {
  return `No sheet is named for ${platform}. Export its sources first, or enter a sheet as ${sourcesSheetKey(platform)} in the website config.`
}

function reasonOf(outcome: CheckedRow['outcome'], platform: Platform): string {
  return outcome === 'unsupported platform' ? `not an address of ${platform}` : outcome
}

function failed(platform: Platform, error_message: string): api.SourcesImportResult {
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
