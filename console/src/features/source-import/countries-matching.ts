import type { Country } from '@watchdesk/contract/countries'

/** The countries that a text matches: first by code, then by the start of a name, then by any part of one. */
export function countriesMatching(countries: Country[], typed: string): Country[] {
  const text = typed.trim().toLowerCase()
  if (text === '') return countries
  const rank = ({ code, names }: Country) => {
    if (code.toLowerCase() === text) return 0
    const lower = names.map((name) => name.toLowerCase())
    if (lower.includes(text)) return 0
    if (lower.some((name) => name.startsWith(text))) return 1
    if (lower.some((name) => name.includes(` ${text}`))) return 2
    return lower.some((name) => name.includes(text)) ? 3 : 4
  }
  return countries
    .map((country) => ({ country, rank: rank(country) }))
    .filter((one) => one.rank < 4)
    .sort((a, b) => a.rank - b.rank)
    .map(({ country }) => country)
}
