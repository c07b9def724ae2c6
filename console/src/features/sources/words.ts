import { NO_COUNTRY } from '@watchdesk/contract/list'
import { OPERATION_KINDS } from '@watchdesk/contract/operations/kinds'
import type { Operation, OperationReference } from '@watchdesk/contract/operations/operations'
import type { SourceFilter } from '@watchdesk/contract/sources'
import { countryName } from '../../ui/display/country-name.ts'
import { formatDays } from '../../ui/display/format.ts'

/** The name of its file or sheet, or its kind and number. An import of a platform is called 'VK import'. */
export function operationName({ id, kind, name }: OperationReference, platform: Operation['platform'] = null) {
  return name || `${kind === 'platform_import' && platform ? `${platform} import` : OPERATION_KINDS[kind].label} ${id}`
}

export function countryText(country: string) {
  return country === NO_COUNTRY ? 'none' : countryName(country)
}

const list = new Intl.ListFormat('en')

/**
 * A filter in words, to put after 'sources': 'on TELEGRAM, in Ukraine and added until Nov 17, 2026'. Empty without a
 * filter.
 */
export function filterWords(
  { search, platform, country, import_id, added_from, added_to }: SourceFilter,
  nameOfImport: string | undefined,
): string {
  const added = formatDays(added_from, added_to)
  const parts = [
    platform && `on ${platform}`,
    country && (country === NO_COUNTRY ? 'without a country' : `in ${countryName(country)}`),
    import_id !== undefined && `from the import ${nameOfImport ?? import_id}`,
    added && `added ${added}`,
    search && `with “${search}” in the address`,
  ]
  return list.format(parts.filter((part) => typeof part === 'string' && part !== '') as string[])
}
