import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
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
  const [isOpen, setOpen] = useState(false)
  const options = [...first, ...countryOptions()]
  const current = options.find((option) => option.value === value)
  useEffect(() => {
    if (isFocused) input.current?.focus()
  }, [isFocused])

  /** Chooses what was typed, without a click on it. False if the choice does not change. */
  function choose(typed: string, isExact: boolean) {
    const text = typed.trim()
    if (text === (current?.label ?? '')) return false
    if (text === '') {
      if (props.clearable) onChange(null)
      return props.clearable === true
    }
    const [best, ...others] = matchingCountries(options, text)
    const isSure = best?.label.toLowerCase() === text.toLowerCase() || others.length === 0
    if (!best || (isExact && !isSure)) return false
    if (best !== current) onChange(best.value)
    return best !== current
  }

  /** Enter chooses the best match, also before the list has opened. */
  function chooseOnEnter(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '')
    const marked = list?.querySelector('[data-combobox-selected]')
    // Marked with the arrow keys. The first one is the best match, and may be marked before Mantine knows it.
    if (marked && marked !== list?.querySelector('[role=option]')) return
    if (!choose(event.currentTarget.value, false)) return
    event.preventDefault()
    event.stopPropagation()
    setOpen(false)
  }

  return (
    <Select
      {...props}
      ref={input}
      data-autofocus={isFocused || undefined}
      searchable
      selectFirstOptionOnChange
      data={options}
      filter={({ options: all, search }) =>
        matchingCountries(
          all.filter((option) => 'value' in option),
          search,
        )
      }
      nothingFoundMessage="No countries match."
      clearButtonProps={{ 'aria-label': 'Clear country' }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onFocus={(event) => {
        props.onFocus?.(event)
        // Typing replaces the chosen name instead of adding to it.
        event.currentTarget.select()
      }}
      onBlur={(event) => {
        choose(event.currentTarget.value, true)
        props.onBlur?.(event)
      }}
      onKeyDownCapture={chooseOnEnter}
      value={value}
      onChange={onChange}
    />
  )
}
