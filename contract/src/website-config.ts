import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { Platform } from './enums.ts'
import { IfMatch, text, uniqueList } from './fields.ts'
import { LENGTH } from './limits.ts'

/** The key that names a platform's sources sheet. */
export function sourcesSheetKey<const Name extends Platform>(platform: Name) {
  return `sources_sheet_${platform.toLowerCase() as Lowercase<Name>}` as const
}

export type SourcesSheetKey = `sources_sheet_${Lowercase<Platform>}`

export const SOURCES_SHEET_KEYS = Platform.options.map((platform) => sourcesSheetKey(platform))

const sheets = Object.fromEntries(SOURCES_SHEET_KEYS.map((key) => [key, text(LENGTH.link)])) as Record<
  SourcesSheetKey,
  ReturnType<typeof text>
>

const CaseTypes = uniqueList(z.string())

const fields = z.strictObject({
  default_case_types: text(LENGTH.config).refine(
    (value) => CaseTypes.safeParse(parseJson(value)).success,
    'Must be a JSON list of different texts, for example ["fraud","spam"].',
  ),
  default_stories_vectors_model: text(LENGTH.setting),
  ...sheets,
})

export const WebsiteConfig = fields
export const WebsiteConfigUpdate = fields.partial()

export type WebsiteConfig = z.infer<typeof WebsiteConfig>
export type WebsiteConfigUpdate = z.infer<typeof WebsiteConfigUpdate>

/** What the config holds where nobody has chosen anything, nor a catalog. */
export const WEBSITE_CONFIG_DEFAULTS: WebsiteConfig = {
  default_case_types: '[]',
  default_stories_vectors_model: '',
  ...(Object.fromEntries(SOURCES_SHEET_KEYS.map((key) => [key, ''])) as Record<SourcesSheetKey, string>),
}

/** The list inside `default_case_types`; empty when the text is not such a list. */
export function parseCaseTypes(value: string | undefined): string[] {
  const parsed = CaseTypes.safeParse(parseJson(value ?? ''))
  return parsed.success ? parsed.data : []
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

export const getWebsiteConfig = {
  method: 'GET',
  url: '/api/v1/config/website_config',
  config: { access: 'super_admin' },
  schema: { summary: 'Read the website config', response: { 200: WebsiteConfig } },
} satisfies Endpoint

export const updateWebsiteConfig = {
  method: 'PATCH',
  url: '/api/v1/config/website_config',
  config: { access: 'super_admin' },
  schema: {
    summary: 'Edit the website config',
    headers: IfMatch,
    body: WebsiteConfigUpdate,
    response: { 200: WebsiteConfig },
  },
} satisfies Endpoint
