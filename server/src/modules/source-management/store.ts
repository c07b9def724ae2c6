import type { Platform } from '@watchdesk/contract/enums'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { CheckedRow } from '@watchdesk/contract/sources'
import { sourcesSheetKey } from '@watchdesk/contract/website-config'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Sheets } from '../../adapters/sheets/sheets.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { editedBy } from '../../db/entity.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Rights } from '../../db/rights.ts'
import { websiteConfigValues } from '../../db/settings.ts'
import { inputOf, isWanted } from '../source-import/store.ts'

/** Those of an import sheet, and when each source was added. */
const EXPORT_COLUMNS = ['source_url', 'source_country', 'added_at']

export function sourceManagementStore(db: Db, rights: Rights, sheets: Sheets) {
  return { sheetOf, upsert, exportAll }

  /** What stands in the config as the platform's sheet. */
  async function sheetOf(platform: Platform) {
    const { values } = await db.selectFrom('website_config').select(websiteConfigValues).executeTakeFirstOrThrow()
    return values[sourcesSheetKey(platform)].trim()
  }

  /** Adds and changes sources, and deletes none. Without a column for it, the country stays as it is. */
  function upsert(actor: Actor, platform: Platform, checked: CheckedRow[], { hasCountry }: { hasCountry: boolean }) {
    return rights.writeLong(actor, TIMEOUT_MS.sources, async (trx) => {
      const wanted = checked.filter(isWanted).map(({ source }) => source)
      const isChanged = hasCountry ? sql`sources.country is distinct from excluded.country` : sql`false`
      // Everybody writes in the same order, so that two at once wait for each other but never lock up.
      const { rows } = await sql<{ is_new: boolean }>`
        with input as (${inputOf(wanted)})
        insert into sources (platform, url, country, created_by, updated_by)
        select platform, url, country, ${actor.id}::int, ${actor.id}::int from input order by platform, url
        on conflict (platform, url) do update
          set country = excluded.country, updated_at = now(), updated_by = excluded.updated_by where ${isChanged}
        returning created_at = now() as is_new`.execute(trx)
      const created_count = rows.filter(({ is_new }) => is_new).length
      const counts = {
        created_count,
        updated_count: rows.length - created_count,
        unchanged_count: wanted.length - rows.length,
        skipped_count: checked.length - wanted.length,
      }
      const changes = changesBetween({}, { platform, ...counts })
      await audit(trx, actor, { action: 'import', entity: 'sources', entity_id: null, changes })
      return counts
    })
  }

  function exportAll(actor: Actor, platform: Platform) {
    return rights.writeLong(actor, TIMEOUT_MS.sources, async (trx) => {
      const rows = await selectSources(trx, platform)
      const sheet = await sheets.create(trx, actor, {
        title: `${platform} sources, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
        header: EXPORT_COLUMNS,
        rows: rows.map(({ url, country, added_at }) => [url, country ?? '', added_at]),
      })
      const changes = changesBetween({}, { platform, exported_count: rows.length, created_sheet_url: sheet.url })
      await nameInConfig(trx, actor, platform, sheet.url)
      await audit(trx, actor, { action: 'export', entity: 'sources', entity_id: null, changes })
      return { created_sheet_url: sheet.url, exported_count: rows.length }
    })
  }
}

function selectSources(trx: Trx, platform: Platform) {
  return trx
    .selectFrom('sources')
    .select(['url', 'country'])
    .select(sql<string>`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`.as('added_at'))
    .where('platform', '=', platform)
    .orderBy('url')
    .execute()
}

/** The first export of a platform becomes the sheet that its import reads. */
async function nameInConfig(trx: Trx, actor: Actor, platform: Platform, url: string) {
  const key = sourcesSheetKey(platform)
  const { values } = await trx
    .selectFrom('website_config')
    .select(websiteConfigValues)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (values[key].trim() !== '') return
  const change = { [key]: url }
  await trx
    .updateTable('website_config')
    .set({ values: JSON.stringify({ ...values, ...change }), ...editedBy(actor) })
    .execute()
  const changes = changesBetween(values, change)
  await audit(trx, actor, { action: 'update', entity: 'website_config', entity_id: null, changes })
}
