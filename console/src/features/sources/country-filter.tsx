import { NO_COUNTRY } from '@watchdesk/contract/list'
import { countryOptions, matchingCountries } from '../../ui/form/country-options.ts'
import { CountrySelect } from '../../ui/form/country-select.tsx'
import type { FieldProps } from '../../ui/list/filter-fields.tsx'
import { OptionList } from '../../ui/list/option-list.tsx'

const NONE = { value: NO_COUNTRY, label: 'None' }

/** Loaded on demand, because of the names of countries. */
export function CountryFilter({ isInSheet, value, onChange }: FieldProps) {
  if (isInSheet) {
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
  return (
    <OptionList
      label="Country"
      options={[NONE, ...countryOptions()]}
      match={matchingCountries}
      chosen={value}
      onChoose={onChange}
    />
  )
}
