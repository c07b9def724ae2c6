import { SOURCES_SHEET_KEYS, type SourcesSheetKey, type WebsiteConfig } from '@watchdesk/contract/website-config'
import { localSheetId } from '../../adapters/sheets/local.ts'
import type { Db, Trx } from '../../db/open.ts'
import { websiteConfigValues } from '../../db/settings.ts'

export function selectConfig(db: Db) {
  return db.selectFrom('website_config').select(websiteConfigValues)
}

/** No sheet can be set in the website config until the end of the transaction. Lock it before any sheet. */
export function lockConfig(trx: Trx) {
  return selectConfig(trx).forShare().executeTakeFirst()
}

/** The sheets that the website config names, with the settings, by the same rule that finds the sheet of a setting. */
export function configuredSheets(config: { values: WebsiteConfig } | undefined, publicUrl: string | undefined) {
  const sheets = new Map<number, SourcesSheetKey[]>()
  for (const key of SOURCES_SHEET_KEYS) {
    const id = Number(localSheetId(config?.values[key].trim() ?? '', publicUrl))
    if (id > 0) sheets.set(id, [...(sheets.get(id) ?? []), key])
  }
  return sheets
}
