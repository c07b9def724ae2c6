import { MAX_QUOTA } from '@watchdesk/contract/limits'
import { formatNumber } from '../../ui/display/format.ts'

const SPACES_AND_MARKS = /^[\s'’]$/
/** `12,345`, `1 234 567`: groups of three digits with the same separator. */
const GROUPED = /^[1-9]\d{0,2}(?:([,.\s'’])\d{3})(?:\1\d{3})*$/

/**
 * Removes the separators from a grouped whole number; returns any other text unchanged. `12.345` can also be a
 * fraction: its separator counts only if the locale groups numbers with it, or if it occurs twice, as in no fraction.
 */
export function plainAmount(text: string, locale?: string) {
  const amount = text.trim()
  const digits = digitsOf(amount)
  if (amount === inGroups(Number(digits), locale)) return digits
  const sign = GROUPED.exec(amount)?.[1]
  if (sign === undefined) return amount
  const isRepeated = amount.indexOf(sign) !== amount.lastIndexOf(sign)
  return isRepeated || SPACES_AND_MARKS.test(sign) ? digits : amount
}

/** Null for an empty text, NaN if it is not a whole number. */
export function wireAmount(text: string) {
  const amount = plainAmount(text)
  if (amount === '') return null
  return /^\d+$/.test(amount) ? Number(amount) : Number.NaN
}

/** What is wrong with an amount and how to correct it; undefined if it is valid or empty. */
export function amountProblem(text: string, locale?: string) {
  const amount = plainAmount(text, locale)
  if (amount === '') return undefined
  if (/^\d+$/.test(amount)) {
    return Number(amount) > MAX_QUOTA ? `Must be at most ${formatNumber(MAX_QUOTA)}.` : undefined
  }
  if (GROUPED.test(amount))
    return `This could be a fraction. If you mean ${digitsOf(amount)}, write it without a separator.`
  return 'Must be a whole number, 0 or more.'
}

function digitsOf(text: string) {
  return text.replace(/\D/g, '')
}

/** Formatted for the locale: `12,345`, `12.345`, `12 345`, `12,34,567`. */
function inGroups(amount: number, locale: string | undefined) {
  return new Intl.NumberFormat(locale, { useGrouping: 'always' }).format(amount)
}
