import { useQuery } from '@tanstack/react-query'
import { listSources, type MonitoredSource, type SourceFilter } from '@watchdesk/contract/sources'
import { formatDays } from '../../ui/display/format.ts'
import type { ListFilter } from '../../ui/list/filter-bar.tsx'
import { ChoiceField, DayFields } from '../../ui/list/filter-fields.tsx'
import { useChangeSearch, useListSearch } from '../../ui/list/use-list.ts'
import { operationQuery } from '../operations/queries.ts'
import { CountryFilter } from './country-filter.tsx'
import { countryText, filterWords, operationName } from './words.ts'

const { platform: PLATFORM } = listSources.list.filters

/** The filters in the address: for the bar, as the API gets them, and in words. `rows` are those that match. */
export function useSourceFilters(rows: MonitoredSource[] | undefined) {
  const { search, isFiltered, clearFilters } = useListSearch(listSources)
  const change = useChangeSearch()
  const { page: _, sort: __, workspace_id: ___, ...filter } = { workspace_id: undefined, ...search }
  const { platform, country, import_id, added_from, added_to } = filter
  const nameOfImport = useNameOfImport(import_id, rows)

  const filters: ListFilter[] = [
    {
      label: 'Platform',
      text: platform,
      cleared: { platform: undefined },
      field: (onDone, isInSheet) => (
        <ChoiceField
          of={PLATFORM}
          isInSheet={isInSheet}
          value={platform}
          onChange={(value) => {
            change({ platform: value })
            onDone()
          }}
        />
      ),
    },
    {
      label: 'Country',
      text: country && countryText(country),
      cleared: { country: undefined },
      field: (onDone, isInSheet) => (
        <CountryFilter
          isInSheet={isInSheet}
          value={country}
          onChange={(value) => {
            change({ country: value })
            onDone()
          }}
        />
      ),
    },
    {
      label: 'Added',
      text: formatDays(added_from, added_to),
      cleared: { added_from: undefined, added_to: undefined },
      field: (_, isInSheet) => (
        <DayFields
          isInSheet={isInSheet}
          from={{ label: 'Added from', value: added_from, onChange: (day) => change({ added_from: day }) }}
          to={{ label: 'Added until', value: added_to, onChange: (day) => change({ added_to: day }) }}
        />
      ),
    },
    {
      label: 'Import',
      text: import_id === undefined ? undefined : (nameOfImport ?? String(import_id)),
      cleared: { import_id: undefined },
    },
  ]
  return {
    filters,
    filter: filter as SourceFilter,
    words: filterWords(filter as SourceFilter, nameOfImport),
    isFiltered,
    clearFilters,
  }
}

/** All rows are of the import. If there are none, it is asked for. */
function useNameOfImport(id: number | undefined, rows: MonitoredSource[] | undefined) {
  const [first] = rows ?? []
  const { data } = useQuery({ ...operationQuery(id ?? 0), enabled: id !== undefined && rows?.length === 0 })
  if (first?.import?.id === id && first?.import) return operationName(first.import, first.platform)
  return data ? operationName(data, data.platform) : undefined
}
