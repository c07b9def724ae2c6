import '@mantine/core/styles/Combobox.layer.css'
import { Select, type SelectProps } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { countryOptions, matchingCountries } from './country-options.ts'

type CountrySelectProps = Omit<SelectProps, 'value' | 'onChange' | 'data' | 'filter' | 'searchable'> & {
  /** The ISO code; null for no country. */
  value: string | null
  onChange: (code: string | null) => void
  /** Choices before the countries, such as "No country". */
  first?: { value: string; label: string }[]
  /** Takes the focus, also if its dialog was open before its code had loaded. */
  isFocused?: boolean
}

/** A country by its name, its code, or its name in Ukrainian. Loaded on demand, because of the names. */
export function CountrySelect({ value, onChange, first = [], isFocused = false, ...props }: CountrySelectProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused) input.current?.focus()
  }, [isFocused])
  return (
    <Select
      {...props}
      ref={input}
      data-autofocus={isFocused || undefined}
      searchable
      selectFirstOptionOnChange
      data={[...first, ...countryOptions()]}
      filter={({ options, search }) =>
        matchingCountries(
          options.filter((option) => 'value' in option),
          search,
        )
      }
      nothingFoundMessage="No countries match."
      clearButtonProps={{ 'aria-label': 'Clear country' }}
      onFocus={(event) => {
        props.onFocus?.(event)
        // Typing replaces the chosen name instead of adding to it.
        event.currentTarget.select()
      }}
      value={value}
      onChange={onChange}
    />
  )
}
