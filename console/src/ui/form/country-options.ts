import { countryCode, countryList } from '@watchdesk/contract/countries'
import { countryName } from '../display/country-name.ts'

type CountryOption = { value: string; label: string }

let options: CountryOption[] | undefined

/** All countries, in the order of their names. */
export function countryOptions(): CountryOption[] {
  options ??= countryList()
    .map(({ code }) => ({ value: code, label: countryName(code) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'))
  return options
}

/** The countries for a typed text: part of a name, a code, or the name in another language. The best one is first. */
export function matchingCountries<Option extends CountryOption>(all: Option[], typed: string): Option[] {
  const text = typed.trim().toLowerCase()
  if (text === '') return all
  const code = countryCode(typed)
  const rank = ({ value, label }: Option) => {
    const name = label.toLowerCase()
    if (value === code) return 0
    return name.startsWith(text) ? 1 : name.includes(text) ? 2 : 3
  }
  return all.filter((option) => rank(option) < 3).sort((a, b) => rank(a) - rank(b))
}
