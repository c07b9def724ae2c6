import { isInCalendar } from '@watchdesk/contract/day'

const ISO = ['year', 'month', 'day'] as const
const LONGEST = 40

type Part = (typeof ISO)[number]

/**
 * Parses a day as written in the locale (`30.06.2027`, `6/30/27`, `30 June 2027`) or as `2027-06-30`, and returns the
 * latter.
 */
export function parseDay(text: string, locale?: string): string | undefined {
  const day = readDay(text, locale)
  return day !== undefined && isInCalendar(day) ? day : undefined
}

/** The same, for days that do not exist too: `2027-02-31`. */
export function readDay(text: string, locale?: string): string | undefined {
  if (text.length > LONGEST) return
  const words = text.match(/\d+|\p{L}+/gu) ?? []
  const numbers = words.filter((word) => /\d/.test(word))
  const order = numbers[0]?.length === 4 ? ISO : orderIn(locale)
  if (numbers.length === 3) return isoDay(order, numbers)
  const month = numbers.length === 2 ? monthNamed(words, locale) : undefined
  if (month === undefined) return
  const others = order.filter((part) => part !== 'month')
  return isoDay([...others, 'month'], [...numbers, String(month)])
}

/** The accepted formats: `YYYY-MM-DD or DD.MM.YYYY`. */
export function dayPatterns(locale?: string) {
  const here = parts(locale)
    .map(({ type, value }) => (type === 'literal' ? value : { year: 'YYYY', month: 'MM', day: 'DD' }[type as Part]))
    .join('')
  return [...new Set(['YYYY-MM-DD', here])].join(' or ')
}

function isoDay(order: readonly Part[], numbers: string[]) {
  const [year = '', month = '', day = ''] = ISO.map((part) => numbers[order.indexOf(part)])
  // A 13th month is more likely a day in another order.
  if (![2, 4].includes(year.length) || month.length > 2 || day.length > 2 || Number(month) > 12 || Number(day) > 31)
    return
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function monthNamed(words: string[], locale: string | undefined) {
  const written = words.map((word) => word.toLocaleLowerCase(locale))
  const month = Array.from({ length: 12 }, (_, index) => index).findIndex((index) =>
    (['long', 'short'] as const).some((style) => written.includes(monthName(index, style, locale))),
  )
  return month < 0 ? undefined : month + 1
}

/** The month's name as written after a day: `30 червня`. */
function monthName(index: number, month: 'long' | 'short', locale: string | undefined) {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month, calendar: 'gregory', timeZone: 'UTC' })
  const name = format.formatToParts(Date.UTC(2000, index, 1)).find(({ type }) => type === 'month')?.value ?? ''
  return name.replace('.', '').toLocaleLowerCase(locale)
}

function orderIn(locale: string | undefined) {
  return parts(locale).flatMap(({ type }) => (type === 'literal' ? [] : [type as Part]))
}

function parts(locale: string | undefined) {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    calendar: 'gregory',
    numberingSystem: 'latn',
  })
    .formatToParts()
    .filter(
      ({ type, value }) => ['year', 'month', 'day'].includes(type) || (type === 'literal' && /[^\p{L}\s]/u.test(value)),
    )
}

/** An end date is the last valid day, in UTC for everyone. */
export function hasPassed(day: string, now = new Date()) {
  return day.slice(0, 10) < now.toISOString().slice(0, 10)
}
