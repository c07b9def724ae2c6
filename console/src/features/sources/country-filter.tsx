import { NO_COUNTRY } from '@watchdesk/contract/list'
import { countryOptions, matchingCountries } from '../../ui/form/country-options.ts'
import { CountrySelect } from '../../ui/form/country-select.tsx'
import { OptionList } from '../../ui/list/option-list.tsx'
import type { ChoiceProps } from './filters.tsx'

const NONE = { value: NO_COUNTRY, label: 'None' }

/** Loaded on demand, because of the names of countries. */
export function CountryFilter({ isInSheet, value, onChange }: ChoiceProps) {
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
