import { labelFromName, plainValue } from '../../../ui/display/plain-value.ts'

export const LABELS = { name: 'Name', description: 'Description', embed_link: 'Embed link' }

/** The label of a field of a dashboard. */
export function labelOf(path: string) {
  return new Map(Object.entries(LABELS)).get(path) ?? labelFromName(path)
}

/** A value of a field as text. */
export function showValue(_path: string, value: unknown) {
  return plainValue(value)
}
