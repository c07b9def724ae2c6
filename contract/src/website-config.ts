import { get, patch } from './endpoint.ts'
import { PLATFORMS, type Platform } from './enums.ts'
import { isSheetReference } from './sheet-address.ts'
import { SPREADSHEETS_ADDRESS } from './source-import.ts'
import type * as schema from './website-config.schema.ts'

export type * from './website-config.schema.ts'

export function sourcesSheetKey<const Name extends Platform>(platform: Name) {
  return `sources_sheet_${platform.toLowerCase() as Lowercase<Name>}` as const
}

export type SourcesSheetKey = `sources_sheet_${Lowercase<Platform>}`

export const SOURCES_SHEET_KEYS = PLATFORMS.map((platform) => sourcesSheetKey(platform))

export const NOT_A_SHEET = `Enter the URL of a Google sheet (${SPREADSHEETS_ADDRESS}d/…) or of a sheet in this console (/sheets/…).`

/** The changed settings that do not identify a sheet. Values that were stored before this check may stay. */
export function invalidSheets(stored: Record<string, unknown>, changed: Record<string, unknown>): SourcesSheetKey[] {
  return SOURCES_SHEET_KEYS.filter((key) => {
    const value = changed[key]
    return typeof value === 'string' && value !== stored[key] && value.trim() !== '' && !isSheetReference(value)
  })
}

/** The default config when neither a user nor the catalog has set a value. */
export const WEBSITE_CONFIG_DEFAULTS: schema.WebsiteConfig = {
  default_case_types: '[]',
  default_stories_vectors_model: '',
  ...(Object.fromEntries(SOURCES_SHEET_KEYS.map((key) => [key, ''])) as Record<SourcesSheetKey, string>),
}

export const getWebsiteConfig = get<typeof schema.getWebsiteConfig>('/config/website_config', 'super_admin')

export const updateWebsiteConfig = patch<typeof schema.updateWebsiteConfig>('/config/website_config', 'super_admin')
