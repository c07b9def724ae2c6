import type { Platform } from '@watchdesk/contract/enums'
import { parseJson } from '@watchdesk/contract/json'
import type { WebsiteConfig } from '@watchdesk/contract/website-config'
import { labelFromName } from '../../ui/display/plain-value.ts'

/** As loaded: a backend may have any keys and values. Only edited values become strings. */
export type ConfigValues = Record<string, unknown>

export const CASE_TYPES = 'default_case_types' satisfies keyof WebsiteConfig
export const MODEL = 'default_stories_vectors_model' satisfies keyof WebsiteConfig

const SHEET = 'sources_sheet_'
const PLATFORMS: Record<Lowercase<Platform>, string> = {
  telegram: 'Telegram',
  ok: 'OK',
  vk: 'VK',
  twitter: 'Twitter',
  web: 'Web',
  facebook: 'Facebook',
  admixer: 'Admixer',
  youtube: 'YouTube',
  tiktok: 'TikTok',
}

export function isSheet(key: string) {
  return key.startsWith(SHEET)
}

/** Our own sheets are stored by path, because the console's address may change. */
export function withoutOwnHost(address: string) {
  const own = `${window.location.origin}/sheets/`
  return address.startsWith(own) ? address.slice(window.location.origin.length) : address
}

export function labelOf(key: string) {
  const platform = isSheet(key) ? PLATFORMS[key.slice(SHEET.length) as Lowercase<Platform>] : undefined
  if (platform) return `${platform} sources`
  return labelFromName(key)
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The list in a JSON string; undefined for any other text. An empty text is an empty list. */
export function listIn(text: string): string[] | undefined {
  if (text.trim() === '') return []
  const list = parseJson(text)
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
}

/** The request body: every value that is not null. */
export function bodyOf(values: ConfigValues): ConfigValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))
}
