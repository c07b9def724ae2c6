import { countryCode } from '@watchdesk/contract/countries'
import type { WrittenSource } from '@watchdesk/contract/source-row'
import { suggestAddress } from './address-suggestions.ts'
import { suggestCountry } from './country-suggestions.ts'

/** A cell with an error, what it was clearly meant to be, and which others can be corrected in the same way. */
type Suggestion = {
  value: string
  /** Cells with the same key are corrected alike. */
  key: string
}

export type Suggestions = { url?: Suggestion; country?: Suggestion }

/**
 * What a row was clearly meant to say, for each of its two cells that is wrong. An address is accepted as it is
 * suggested; nothing is suggested for a cell without an error. Never apply a suggestion without asking.
 */
export function suggestionsFor(written: WrittenSource): Suggestions {
  const address = suggestAddress(written.url)
  const country = suggestCountry(written.country)
  return {
    ...(address && { url: { value: address.address, key: `url ${address.kind}` } }),
    ...(country !== undefined && {
      country: { value: country, key: `country ${written.country.trim().toLowerCase()} ${countryCode(country)}` },
    }),
  }
}
