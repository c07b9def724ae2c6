import { NO_COUNTRY } from '@watchdesk/contract/list'
import { readAddress } from '@watchdesk/contract/source-row'
import type { SourceFilter } from '@watchdesk/contract/sources'
import { withoutTrailingSlashes } from '@watchdesk/contract/text'
import { sql } from 'kysely'
import { likePart } from '../../db/list.ts'

/** The conditions of the list, a file, an export and a change of many sources. */
export function conditionsOf(filter: SourceFilter) {
  const { search, platform, country, import_id, added_from, added_to } = filter
  return [
    search && isLike(search),
    platform && sql`sources.platform = ${platform}`,
    country && hasCountry(country),
    import_id !== undefined && sql`sources.import_id = ${import_id}`,
    added_from && sql`sources.created_at >= ${added_from}::date::timestamp at time zone 'UTC'`,
    added_to && sql`sources.created_at < (${added_to}::date + 1)::timestamp at time zone 'UTC'`,
  ].filter((condition) => typeof condition === 'object')
}

export function whereOf(filter: SourceFilter) {
  return sql<boolean>`${sql.join([sql`sources.deleted_at is null`, ...conditionsOf(filter)], sql` and `)}`
}

/** The sort key of the list, for the sake of its index. No country has its last value. */
function hasCountry(country: string) {
  if (country === 'ZZ') return sql`false`
  return sql`coalesce(sources.country::text, 'ZZ') = ${country === NO_COUNTRY ? 'ZZ' : country}`
}

function isLike(search: string) {
  const texts = textsOf(search)
  const isPart = (text: string) => likePart(sql`lower(sources.url)`, text)
  return texts.length > 0 && sql`(${sql.join(texts.map(isPart), sql` or `)})`
}

/**
 * What an address can contain of a searched text. Addresses are stored without `www.`, `@` before a handle at the start, a
 * slash at the end and most queries, with one host per platform, and with letters outside of ASCII encoded.
 */
export function textsOf(search: string): string[] {
  const text = search.trim()
  const shown = withoutTrailingSlashes(
    text.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/^(?:(?:www|m|mobile)\.(?=[^.]+\.))+/i, ''),
  ).replace(/^@+/, '')
  const stored = [undefined, 'WEB' as const].map((platform) => storedAs(text, platform))
  const texts = [shown, encodeURI(shown).replaceAll('%25', '%'), ...stored]
  return [...new Set(texts.filter((each) => each !== ''))]
}

function storedAs(text: string, platform?: 'WEB') {
  const address = readAddress(text, platform)
  return typeof address === 'string' ? '' : address.url.replace('https://', '')
}
