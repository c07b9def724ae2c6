import { countryName } from '../../../ui/display/country-name.ts'
import { labelFromName, plainValue } from '../../../ui/display/plain-value.ts'

const LABELS: Record<string, string> = { url: 'Address', country: 'Country', platform: 'Platform' }

/** The label of a field of a source. */
export function labelOf(path: string) {
  return LABELS[path] ?? labelFromName(path)
}

/** A value of a field as text. */
export function showValue(path: string, value: unknown) {
  return path === 'country' && typeof value === 'string' ? countryName(value) : plainValue(value)
}
