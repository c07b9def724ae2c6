import type { Platform } from '@watchdesk/contract/enums'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import { sourcesSheetKey } from '@watchdesk/contract/website-config'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { newRows } from '../../adapters/sheets/new-rows.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { editedBy } from '../../db/entity.ts'
import { fileTime } from '../../db/list-file.ts'
import type { Trx } from '../../db/open.ts'
import { websiteConfigValues } from '../../db/settings.ts'
import type { Deps } from '../../deps.ts'
import type { OperationKind } from '../operations/kind.ts'
import { beginOperation, endOperation } from '../operations/record.ts'
import { keepRows } from '../operations/rows.ts'
import type { CheckedPart } from '../source-import/check-import.ts'
import { countStaged, countStored, markRepeated, stageRows } from '../source-import/stage.ts'
import { writeSources } from '../source-import/write-sources.ts'
import { writeExport } from '../sources/export.ts'
import { sourcesUndo } from '../sources/undo.ts'
import { storedSources } from '../sources/write-many.ts'
import { WEBSITE_CONFIG_NAME } from '../website-config/store.ts'

const SKIPPED_ROWS_LISTED = 10
/** The columns of an import sheet, and the time when each source was added. */
const EXPORT_COLUMNS = ['source_url', 'source_country', 'added_at']

/** The columns of the rows that an import keeps. */
const RESULT_COLUMNS = ['row', 'source_url', 'source_country', 'outcome']

type Parts = Pick<Deps, 'db' | 'rights' | 'sheets' | 'verify'>

export function sourceManagementStore({ db, rights, sheets, verify }: Parts) {
  return { sheetOf, upsert, exportAll }

  /** The platform's sheet in the website config. */
  async function sheetOf(platform: Platform) {
    const { values } = await db.selectFrom('website_config').select(websiteConfigValues).executeTakeFirstOrThrow()
    return values[sourcesSheetKey(platform)].trim()
  }

  /** Adds and updates sources; never deletes any. Without a country column, countries stay unchanged. */
  async function upsert(
    actor: Actor,
    platform: Platform,
    pieces: AsyncIterable<CheckedPart>,
    { hasCountry, sheet_url }: Options,
  ) {
    const done = await rights.writeLong(actor, TIMEOUT_MS.sources, async (trx, copy) => {
      const summary = await stageRows(trx, copy, pieces)
      await markRepeated(trx)
      const import_id = await beginOperation(trx, actor, { kind: 'platform_import', platform, sheet_url })
      const { added, updated } = await writeSources(trx, actor, { import_id, known: 'update', hasCountry })
      await nameOutcomes(trx)
      const outcomes = await countStaged(trx)
      const unchanged = outcomes.unchanged ?? 0
      const counts = {
        created_count: added,
        updated_count: updated,
        unchanged_count: unchanged,
        skipped_count: summary.rows - added - updated - unchanged,
      }
      const rows_id = await keepRows(trx, {
        header: RESULT_COLUMNS,
        row_count: summary.rows,
        rows: newRows(trx, RESULT_ROWS),
        outcomes: { column: 'outcome', counts: outcomes },
      })
      const error = counts.skipped_count === summary.rows ? 'No row of the sheet could be imported.' : null
      const sent = await countStored(trx, summary, ['added', 'updated'])
      await endOperation(trx, import_id, { counts: outcomes, rows_id, error, details: { sent } })
      if (counts.skipped_count < summary.rows) {
        const changes = changesBetween({}, { platform, ...counts, sheet_url })
        await audit(trx, actor, { action: 'import', entity: 'sources', entity_id: import_id, changes })
      }
      return { ...counts, skipped: await firstSkipped(trx), import_id }
    })
    return { ...done, verification: await verify(done.import_id) }
  }

  function exportAll(actor: Actor, platform: Platform) {
    return rights.writeLong(actor, TIMEOUT_MS.sources, async (trx) => {
      const written = await writeExport(trx, sheets, actor, {
        title: `${platform} sources`,
        header: EXPORT_COLUMNS,
        rows: sql`select row_number() over (order by url),
            array[url, coalesce(country, ''), ${fileTime(sql`created_at`)}]
          from sources where platform = ${platform} and deleted_at is null`,
        platform,
      })
      const { created_sheet_url, exported_count, import_id } = written
      const changes = changesBetween({}, { platform, exported_count, created_sheet_url })
      await nameInConfig(trx, actor, platform, created_sheet_url)
      await audit(trx, actor, { action: 'export', entity: 'sources', entity_id: import_id, changes })
      return written
    })
  }
}

type Options = { hasCountry: boolean; sheet_url: string }

const RESULT_ROWS = sql`select place, array[number::text, written_url, written_country, outcome] as cells from incoming`

/** In the words of this page: the rows come from a sheet, and all are of one platform. */
async function nameOutcomes(trx: Trx) {
  await sql`update incoming set outcome = case outcome when 'requested' then 'added'
      when 'unsupported platform' then 'URL of another platform' else 'repeated in the sheet' end
    where outcome in ('requested', 'unsupported platform', 'repeated in the file')`.execute(trx)
}

async function firstSkipped(trx: Trx) {
  const { rows } = await sql<{ number: number; outcome: string }>`select number, outcome from incoming
    where outcome not in ('added', 'updated', 'unchanged') order by number limit ${SKIPPED_ROWS_LISTED}`.execute(trx)
  return rows
}

/** If the platform has no configured sheet yet, its export becomes the one that imports read. */
async function nameInConfig(trx: Trx, actor: Actor, platform: Platform, url: string) {
  const key = sourcesSheetKey(platform)
  const { values, version } = await trx
    .selectFrom('website_config')
    .select([websiteConfigValues, 'version'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (values[key].trim() !== '') return
  const change = { [key]: url }
  await trx
    .updateTable('website_config')
    .set({ values: JSON.stringify({ ...values, ...change }), ...editedBy(actor) })
    .execute()
  const changes = changesBetween(values, change)
  const record = { name: WEBSITE_CONFIG_NAME, version: version + 1 }
  await audit(trx, actor, { action: 'update', entity: 'website_config', entity_id: null, record, changes })
}

export const platformImport: OperationKind = { undo: sourcesUndo, stored: storedSources }
