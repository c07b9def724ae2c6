import type { Endpoint } from './endpoint.ts'
import { PLATFORMS, type Platform } from './enums.ts'
import type * as schema from './website-config.schema.ts'

export type { WebsiteConfig, WebsiteConfigUpdate } from './website-config.schema.ts'

/** The config key of a platform's sources sheet. */
export function sourcesSheetKey<const Name extends Platform>(platform: Name) {
  return `sources_sheet_${platform.toLowerCase() as Lowercase<Name>}` as const
}

export type SourcesSheetKey = `sources_sheet_${Lowercase<Platform>}`

export const SOURCES_SHEET_KEYS = PLATFORMS.map((platform) => sourcesSheetKey(platform))

/** The default config when neither a user nor the catalog has set a value. */
export const WEBSITE_CONFIG_DEFAULTS: schema.WebsiteConfig = {
  default_case_types: '[]',
  default_stories_vectors_model: '',
  ...(Object.fromEntries(SOURCES_SHEET_KEYS.map((key) => [key, ''])) as Record<SourcesSheetKey, string>),
}

export const getWebsiteConfig: Endpoint<typeof schema.getWebsiteConfig> = {
  method: 'GET',
  url: '/api/v1/config/website_config',
  config: { access: 'super_admin' },
}

export const updateWebsiteConfig: Endpoint<typeof schema.updateWebsiteConfig> = {
  method: 'PATCH',
  url: '/api/v1/config/website_config',
  config: { access: 'super_admin' },
}
