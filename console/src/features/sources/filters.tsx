import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listSources, type MonitoredSource, type SourceFilter } from '@watchdesk/contract/sources'
import { lazy } from 'react'
import type { ListFilter } from '../../ui/list/filter-bar.tsx'
import { OptionList } from '../../ui/list/option-list.tsx'
import { useChangeSearch, useListSearch } from '../../ui/list/use-list.ts'
import { importQuery } from '../imports/queries.ts'
import classes from './filters.module.css'
import { countryText, daysText, filterWords, importName } from './words.ts'

const CountryFilter = lazy(() => import('./country-filter.tsx').then((module) => ({ default: module.CountryFilter })))

const { platform: PLATFORM } = listSources.list.filters
const PLATFORMS = Object.entries(PLATFORM.options).map(([value, label]) => ({ value, label }))

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
        <PlatformField
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
      text: daysText({ added_from, added_to }),
      cleared: { added_from: undefined, added_to: undefined },
      field: (_, isInSheet) => <Days isInSheet={isInSheet} from={added_from} to={added_to} onChange={change} />,
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
  const { data } = useQuery({ ...importQuery(id ?? 0), enabled: id !== undefined && rows?.length === 0 })
  if (first?.import?.id === id && first?.import) return importName(first.import, first.platform)
  return data ? importName(data, data.platform) : undefined
}

export type ChoiceProps = {
  isInSheet: boolean
  value: string | undefined
  onChange: (value: string | undefined) => void
}

function PlatformField({ isInSheet, value, onChange }: ChoiceProps) {
  if (!isInSheet) return <OptionList label="Platform" options={PLATFORMS} chosen={value} onChoose={onChange} />
  return (
    <Select
      label="Platform"
      placeholder={PLATFORM.placeholder}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear platform' }}
      data={PLATFORMS}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}

type DaysProps = {
  isInSheet: boolean
  from: string | undefined
  to: string | undefined
  onChange: (days: { added_from?: string; added_to?: string }) => void
}

function Days({ isInSheet, from, to, onChange }: DaysProps) {
  return (
    <div className={classes.days}>
      <TextInput
        type="date"
        label="Added from"
        data-autofocus={!isInSheet || undefined}
        // Chosen once complete: a half-typed date has no value.
        value={from ?? ''}
        {...(to && { max: to })}
        onChange={({ currentTarget }) => onChange({ added_from: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="Added until"
        value={to ?? ''}
        {...(from && { min: from })}
        onChange={({ currentTarget }) => onChange({ added_to: currentTarget.value || undefined })}
      />
      <p className={classes.note}>Days are in UTC.</p>
    </div>
  )
}
