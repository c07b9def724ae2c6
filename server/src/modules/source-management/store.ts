import type { Platform } from '@watchdesk/contract/enums'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import { sourcesSheetKey } from '@watchdesk/contract/website-config'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { newRows } from '../../adapters/sheets/new-rows.ts'
import type { Sheets } from '../../adapters/sheets/sheets.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { editedBy } from '../../db/entity.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Rights } from '../../db/rights.ts'
import { websiteConfigValues } from '../../db/settings.ts'
import type { CheckedPart } from '../source-import/check-import.ts'
import { countStaged, markRepeated, stageRows } from '../source-import/stage.ts'
import { WEBSITE_CONFIG_NAME } from '../website-config/store.ts'

const SKIPPED_ROWS_LISTED = 10
/** The columns of an import sheet, and the time when each source was added. */
const EXPORT_COLUMNS = ['source_url', 'source_country', 'added_at']

export function sourceManagementStore(db: Db, rights: Rights, sheets: Sheets) {
  return { sheetOf, upsert, exportAll }

  /** The platform's sheet in the website config. */
  async function sheetOf(platform: Platform) {
    const { values } = await db.selectFrom('website_config').select(websiteConfigValues).executeTakeFirstOrThrow()
    return values[sourcesSheetKey(platform)].trim()
  }

  /** Adds and updates sources; never deletes any. Without a country column, countries stay unchanged. */
  function upsert(
    actor: Actor,
    platform: Platform,
    pieces: AsyncIterable<CheckedPart>,
    { hasCountry, sheet_url }: Options,
  ) {
    return rights.writeCopying(actor, TIMEOUT_MS.sources, async (trx, copy) => {
      const { rows } = await stageRows(trx, copy, pieces)
      await markRepeated(trx)
      const wanted = (await countStaged(trx)).requested ?? 0
      const { created, updated } = await write(trx, actor, hasCountry)
      const counts = {
        created_count: created,
        updated_count: updated,
        unchanged_count: wanted - created - updated,
        skipped_count: rows - wanted,
      }
      if (wanted > 0) {
        const changes = changesBetween({}, { platform, ...counts, sheet_url })
        await audit(trx, actor, { action: 'import', entity: 'sources', entity_id: null, changes })
      }
      return { ...counts, skipped: await firstSkipped(trx) }
    })
  }

  function exportAll(actor: Actor, platform: Platform) {
    return rights.writeLong(actor, TIMEOUT_MS.sources, async (trx) => {
      const exported_count = await selectSources(trx, platform)
      const sheet = await sheets.create(trx, actor, {
        title: `${platform} sources, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
        origin: 'source_management',
        header: EXPORT_COLUMNS,
        row_count: exported_count,
        rows: newRows(trx, EXPORTED_ROWS),
      })
      const changes = changesBetween({}, { platform, exported_count, created_sheet_url: sheet.url })
      await nameInConfig(trx, actor, platform, sheet.url)
      await audit(trx, actor, { action: 'export', entity: 'sources', entity_id: null, changes })
      return { created_sheet_url: sheet.url, exported_count }
    })
  }
}

type Options = { hasCountry: boolean; sheet_url: string }

/** Always writes in the same order, so that concurrent updates do not deadlock. */
async function write(trx: Trx, actor: Actor, hasCountry: boolean) {
  const isChanged = hasCountry ? sql`sources.country is distinct from excluded.country` : sql`false`
  const { rows } = await sql<{ created: number; updated: number }>`
    with written as (
      insert into sources (platform, url, country, created_by, updated_by)
      select platform, url, country, ${actor.id}::int, ${actor.id}::int from incoming where outcome = 'requested'
      order by platform, url
      on conflict (platform, url) do update
        set country = excluded.country, updated_at = now(), updated_by = excluded.updated_by where ${isChanged}
      returning created_at = now() as is_new
    )
    select count(*) filter (where is_new) as created, count(*) filter (where not is_new) as updated
    from written`.execute(trx)
  return rows[0] ?? { created: 0, updated: 0 }
}

async function firstSkipped(trx: Trx) {
  const { rows } = await sql<{ number: number; outcome: string }>`select number, outcome from incoming
    where outcome <> 'requested' order by number limit ${SKIPPED_ROWS_LISTED}`.execute(trx)
  return rows
}

/** Uses a temporary table, so that the count matches the export. */
async function selectSources(trx: Trx, platform: Platform) {
  await sql`create temp table exported (url text, country text, added_at text) on commit drop`.execute(trx)
  const { numAffectedRows } = await sql`insert into exported
    select url, country, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')
    from sources where platform = ${platform}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

const EXPORTED_ROWS = sql`select row_number() over (order by url) as place,
  array[url, coalesce(country, ''), added_at] as cells from exported`

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
