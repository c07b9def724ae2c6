import type { Platform } from '@watchdesk/contract/enums'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { SourcesImportResult } from '@watchdesk/contract/source-management'
import { sourcesSheetKey } from '@watchdesk/contract/website-config'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { fileTime } from '../../db/list-file.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import type { OperationKind } from '../operations/kind.ts'
import { endOperation, saveRows } from '../operations/record.ts'
import { verified } from '../operations/verify.ts'
import { selectConfig } from '../sheets/configured.ts'
import type { SourceRows } from '../source-import/stage.ts'
import { storeRows } from '../source-import/store.ts'
import { writeExport } from '../sources/export.ts'
import { sourcesUndo, storedSources } from '../sources/write-many.ts'
import { editConfig } from '../website-config/store.ts'

const SKIPPED_ROWS_LISTED = 10
/** The columns of an import sheet, and the time when each source was added. */
const EXPORT_COLUMNS = ['source_url', 'source_country', 'added_at']

const RESULT_COLUMNS = ['row', 'source_url', 'source_country', 'outcome']

export function sourceManagementStore(deps: Deps) {
  const { db, rights, verify } = deps
  return { sheetOf, upsert, exportAll }

  async function sheetOf(platform: Platform) {
    const { values } = await selectConfig(db).executeTakeFirstOrThrow()
    return values[sourcesSheetKey(platform)].trim()
  }

  /** Adds and updates sources; never deletes any. Without a country column, countries stay unchanged. */
  async function upsert(actor: Actor, rows: SourceRows, sheet: ImportedSheet) {
    const { platform, sheet_url } = sheet
    const done = await rights.writeLong(actor, TIMEOUT_MS.sources, async (trx, copy) => {
      const storing = { kind: 'platform_import', known: 'update', ...sheet } as const
      const { import_id, sent, outcomes, row_count } = await storeRows(trx, copy, actor, rows, storing)
      const { added: created_count = 0, updated: updated_count = 0, unchanged: unchanged_count = 0 } = outcomes
      const skipped_count = row_count - created_count - updated_count - unchanged_count
      const counts = { created_count, updated_count, unchanged_count, skipped_count }
      const rows_id = await saveRows(trx, RESULT_COLUMNS, outcomes, RESULT_ROWS)
      const error = skipped_count === row_count ? 'No row of the sheet could be imported.' : null
      await endOperation(trx, import_id, { counts: outcomes, rows_id, error, details: { sent } })
      if (!error) {
        const changes = changesBetween({}, { platform, ...counts, sheet_url })
        await audit(trx, actor, { action: 'import', entity: 'sources', entity_id: import_id, changes })
      }
      const { rows: skipped_rows } = await sql<SkippedRow>`select number as row, outcome as reason from incoming
        where outcome not in ('added', 'updated', 'unchanged') order by number limit ${SKIPPED_ROWS_LISTED}`.execute(
        trx,
      )
      return { ...counts, skipped_rows, import_id }
    })
    return verified(verify, done)
  }

  function exportAll(actor: Actor, platform: Platform) {
    const content = {
      title: `${platform} sources`,
      header: EXPORT_COLUMNS,
      rows: sql`select row_number() over (order by url),
          array[url, coalesce(country, ''), ${fileTime(sql`created_at`)}]
        from sources where platform = ${platform} and deleted_at is null`,
      operation: { platform },
      asked: { platform },
    }
    return writeExport(deps, actor, content, (trx, url) => nameInConfig(trx, actor, platform, url))
  }
}

type ImportedSheet = { platform: Platform; hasCountry: boolean; sheet_url: string }
type SkippedRow = SourcesImportResult['skipped_rows'][number]

const RESULT_ROWS = sql`select place, array[number::text, written_url, written_country, outcome] as cells from incoming`

/** If the platform has no configured sheet yet, its export becomes the one that imports read. */
async function nameInConfig(trx: Trx, actor: Actor, platform: Platform, url: string) {
  const key = sourcesSheetKey(platform)
  const current = await selectConfig(trx).select('version').forUpdate().executeTakeFirstOrThrow()
  if (current.values[key].trim() === '') await editConfig(trx, actor, current, { [key]: url })
}

export const platformImport: OperationKind = { undo: sourcesUndo, stored: storedSources }
