import { countryCode } from './countries.ts'
import type { Platform } from './enums.ts'
import { IMPORTABLE_PLATFORMS, LENGTH } from './limits.ts'
import type { SheetRecord } from './source-import.ts'
import { TABLE_MESSAGES } from './table-error.ts'
import { withoutTrailingSlashes } from './text.ts'

/** The outcome of an input row. Only requested sources are stored. */
export const SOURCE_OUTCOMES = [
  'requested',
  'already monitored',
  'repeated in the file',
  'unsupported platform',
  'invalid URL',
  'unknown country',
] as const

export type SourceOutcome = (typeof SOURCE_OUTCOMES)[number]

export type Source = { platform: Platform; url: string; country: string | null }

export type WrittenSource = { url: string; country: string }

/** What a file says about a row. */
export type RowOutcome = Exclude<SourceOutcome, 'already monitored'>

export const SOURCE_COLUMNS = { url: 'source_url', country: 'source_country' } as const

export const NOTHING_TO_IMPORT = {
  file: {
    no_url_column: `The file has no column ${SOURCE_COLUMNS.url}.`,
    no_rows: TABLE_MESSAGES.no_rows,
  },
  sheet: {
    no_url_column: `The sheet has no column ${SOURCE_COLUMNS.url}.`,
    no_rows: 'The sheet has no rows below its column names.',
  },
} as const

export const RESULT_COLUMNS = ['row', 'source_url', 'source_country', 'platform', 'outcome'] as const

/** The hosts of each platform; the first one is stored. */
const HOSTS: [Platform, string[]][] = [
  ['TELEGRAM', ['t.me', 'telegram.me']],
  ['FACEBOOK', ['facebook.com', 'fb.com']],
  ['TWITTER', ['twitter.com', 'x.com']],
  ['TIKTOK', ['tiktok.com']],
  ['YOUTUBE', ['youtube.com']],
  ['OK', ['ok.ru']],
  ['VK', ['vk.com']],
]
const PLATFORM_OF_HOST = new Map(
  HOSTS.flatMap(([platform, hosts]) => hosts.map((host) => [host, { platform, host: hosts[0] ?? host }])),
)
const ANY_HOST: readonly Platform[] = ['WEB', 'ADMIXER']

/** Normalizes the address of a source, or returns why it is not one. */
export function readAddress(
  written: string,
  platform?: Platform,
): { platform: Platform; url: string } | 'invalid URL' | 'unsupported platform' {
  const url = parseAddress(written)
  if (!url) return 'invalid URL'
  const host = withoutSubdomains(url.hostname)
  const found = platform && ANY_HOST.includes(platform) ? { platform, host } : PLATFORM_OF_HOST.get(host)
  const wanted = platform ? [platform] : IMPORTABLE_PLATFORMS
  if (!found || !wanted.includes(found.platform)) return 'unsupported platform'
  const path = pathOf(found.platform, url)
  if (path === '' && !ANY_HOST.includes(found.platform)) return 'invalid URL'
  const identity = identityIn(found.platform, url, path)
  if (identity === undefined) return 'invalid URL'
  const stored = `https://${found.host}${path}${identity}`
  // Percent-encoding can make a letter nine characters long, too long for the unique index on sources.
  if (stored.length > LENGTH.link) return 'invalid URL'
  return { platform: found.platform, url: stored }
}

/** Paths that the platform compares without case. Others may contain an id, such as a video's, where case matters. */
const HANDLE_PATHS: Partial<Record<Platform, RegExp>> = {
  TELEGRAM: /^\/(?:s\/)?@?\w+(?:\/\d+)*$/i,
  FACEBOOK: /^\/(?:groups\/)?[\w.-]+$/i,
  TWITTER: /^\/@?\w+(?:\/status\/\d+)?$/i,
  TIKTOK: /^\/@[\w.-]+(?:\/video\/\d+)?$/i,
  YOUTUBE: /^\/(?:@|user\/|c\/)?[\w.-]+$/i,
  VK: /^\/[\w.-]+$/i,
}

/** Repeated slashes are a slip, except on other websites, where the path may contain another address. */
function pathOf(platform: Platform, { pathname }: URL) {
  const written = withoutTrailingSlashes(pathname)
  const path = ANY_HOST.includes(platform) || !written.includes('//') ? written : written.replace(/\/{2,}/g, '/')
  return HANDLE_PATHS[platform]?.test(path) ? path.toLowerCase() : path
}

/** `www.m.facebook.com` is `facebook.com`; `m.com` is itself. */
function withoutSubdomains(hostname: string) {
  return hostname.replace(/^(?:(?:www|m|mobile)\.)+(?=[^.]+\.)/, '')
}

function parseAddress(written: string) {
  const text = written.trim()
  if (text === '' || text.length > LENGTH.link || /[\s\0\\]|\p{Surrogate}/u.test(text)) return undefined
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  const isPlain = url.username === '' && url.password === '' && url.port === ''
  return isPlain && isHostName(url.hostname) ? url : undefined
}

function isHostName(host: string) {
  return host.length <= LENGTH.host && /^[a-z\d-]+(\.[a-z\d-]+)+$/.test(host) && !/^[\d.]+$/.test(host)
}

const NAMED_IN_QUERY: Partial<Record<Platform, Record<string, [name: string, form: RegExp]>>> = {
  FACEBOOK: { '/profile.php': ['id', /^\d+$/] },
  YOUTUBE: { '/watch': ['v', /^[\w-]+$/], '/playlist': ['list', /^[\w-]+$/] },
}

/** Drops the query, except the parameter that identifies the source; undefined if that parameter is missing. */
function identityIn(platform: Platform, url: URL, path: string) {
  const pages = NAMED_IN_QUERY[platform]
  const [name, form] = (pages && Object.hasOwn(pages, path) && pages[path]) || []
  if (!name || !form) return ''
  const id = url.searchParams.get(name) ?? ''
  return form.test(id) ? `?${name}=${id}` : undefined
}

type SourceColumns = { url: string; country?: string | undefined }

export function sourceColumns(header: readonly string[]): SourceColumns | undefined {
  const url = sourceColumn(header, 'url')
  return url === undefined ? undefined : { url, country: sourceColumn(header, 'country') }
}

export function sourceColumn(header: readonly string[], kind: keyof typeof SOURCE_COLUMNS) {
  return header.find((written) => written.trim().toLowerCase() === SOURCE_COLUMNS[kind])
}

/** The source of a row, or why it has none. Does not check for duplicates. */
export function readSource(written: WrittenSource, platform?: Platform): Source | RowOutcome {
  const address = readAddress(written.url, platform)
  if (typeof address === 'string') return address
  const country = written.country === '' ? null : countryCode(written.country)
  return country === undefined ? 'unknown country' : { platform: address.platform, url: address.url, country }
}

export function writtenIn(record: SheetRecord, columns: Partial<SourceColumns>): WrittenSource {
  return { url: cell(record, columns.url, 'link'), country: cell(record, columns.country, 'country') }
}

function cell(record: SheetRecord, column: string | undefined, kind: 'link' | 'country') {
  return column !== undefined && Object.hasOwn(record, column) ? writtenText(String(record[column]), kind) : ''
}

/** Trims the text. Text over the limit is cut, but stays over the limit. */
export function writtenText(text: string, kind: 'link' | 'country') {
  const trimmed = text.trim()
  return trimmed.length > LENGTH[kind] ? `${trimmed.slice(0, LENGTH[kind]).replace(/[\ud800-\udbff]$/, '')}…` : trimmed
}
