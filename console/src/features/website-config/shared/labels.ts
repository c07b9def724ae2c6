import { plainValue } from '../../../ui/display/plain-value.ts'
import { CASE_TYPES, labelOf as labelOfKey, listIn, textOf } from '../values.ts'

/** The label of a setting. */
export function labelOf(key: string) {
  return labelOfKey(key)
}

/** A value of a setting as text. */
export function showValue(key: string, value: unknown) {
  return plainValue(key === CASE_TYPES ? (listIn(textOf(value)) ?? value) : value)
}
