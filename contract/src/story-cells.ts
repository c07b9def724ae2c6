import { CONTENT_TYPES, PLATFORMS } from './enums.ts'
import { MAX_ID } from './limits.ts'

/** Longer than any real number; `Number` and the patterns below would be slow for very long text. */
const MAX_NUMBER_LENGTH = 400

const platforms = new Map(PLATFORMS.map((name) => [name as string, name]))
const contentTypes = new Map(CONTENT_TYPES.map((name) => [name as string, name]))

/** The origin of a message, from its id: `telegram:post:77` is a post on TELEGRAM. */
export function originOf(message_composite_id: string) {
  const parts = message_composite_id.toUpperCase().split(/[:_/|-]/)
  const first = <Name>(names: Map<string, Name>) => {
    const part = parts.find((each) => names.has(each))
    return (part !== undefined && names.get(part)) || null
  }
  return { platform: first(platforms), content_type: first(contentTypes) }
}

/** The narrative id in a cell, or undefined. */
export function narrativeIdOf(text: string) {
  if (text.length > MAX_NUMBER_LENGTH) return undefined
  // Some programs write 17 as 17.0.
  const digits = /^0*(\d{1,10})(\.0*)?$/.exec(text)?.[1]
  const number = Number(digits ?? 0)
  return number >= 1 && number <= MAX_ID ? number : undefined
}

/** The score in a cell: null if it is empty, undefined if it is not a number. */
export function sentimentOf(text: string) {
  if (text === '') return null
  if (text.length > MAX_NUMBER_LENGTH) return undefined
  // Spreadsheets in locales with decimal commas write 0,5.
  const number = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,3})?$/i.test(text)
    ? Number(text.replace(',', '.'))
    : Infinity
  return Number.isFinite(number) ? number : undefined
}
