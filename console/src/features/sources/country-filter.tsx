import { useQuery } from '@tanstack/react-query'
import { NO_COUNTRY } from '@watchdesk/contract/list'
import { lazy } from 'react'
import type { FieldProps } from '../../ui/list/filter-fields.tsx'
import { OptionList } from '../../ui/list/option-list.tsx'

const CountrySelect = lazy(() =>
  import('../../ui/form/country-select.tsx').then((module) => ({ default: module.CountrySelect })),
)

const NONE = { value: NO_COUNTRY, label: 'None' }

/** The names of countries are loaded on demand. The field is there at once, so that nothing typed is lost. */
export function CountryFilter({ isInSheet, value, onChange }: FieldProps) {
  if (!isInSheet) return <CountryList value={value} onChange={onChange} />
  return (
    <CountrySelect
      label="Country"
      placeholder="All countries"
      clearable
      first={[NONE]}
      value={value ?? null}
      onChange={(code) => onChange(code ?? undefined)}
    />
  )
}

function CountryList({ value, onChange }: Omit<FieldProps, 'isInSheet'>) {
  const { data: names, isPending } = useQuery({
    queryKey: ['country names'],
    queryFn: () => import('../../ui/form/country-options.ts'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <OptionList
      label="Country"
      options={isPending ? undefined : [NONE, ...(names?.countryOptions() ?? [])]}
      match={names?.matchingCountries}
      chosen={value}
      onChoose={onChange}
    />
  )
}
