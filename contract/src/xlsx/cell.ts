export type CellValue = string | number | boolean

const DAY_MS = 86_400_000
const MAX_CODE_LENGTH = 255
/** Built-in date and time formats, which have no format code. */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const

export function isDateFormat(id: number, code?: string) {
  if (code === undefined) return BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last)
  if (code.length > MAX_CODE_LENGTH) return false
  const shown = shownPart(code)
  return /[dmyhs]/i.test(shown.split(';', 1)[0] ?? '') && !/general/i.test(shown)
}

/**
 * A format code without quoted and escaped text, colors and conditions; elapsed hours in brackets stay. A single pass,
 * because a workbook can contain millions of codes with unmatched brackets.
 */
function shownPart(code: string) {
  let shown = ''
  const lastQuote = code.lastIndexOf('"')
  const lastBracket = code.lastIndexOf(']')
  for (let at = 0; at < code.length; at += 1) {
    const character = code[at] ?? ''
    if (character === '"' && at < lastQuote) at = code.indexOf('"', at + 1)
    else if (character === '[' && at < lastBracket) {
      const end = code.indexOf(']', at)
      const inside = code.slice(at + 1, end)
      if (/^(h+|m+|s+)$/i.test(inside)) shown += inside
      at = end
    } else if (character === '\\' || character === '_' || character === '*') at += 1
    else shown += character
  }
  return shown
}

/** The text of a cell, as a spreadsheet program writes it to CSV. */
export function cellText(value: CellValue) {
  // 15 significant digits, like spreadsheets, to hide binary rounding errors.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)))
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  return value
}

export function numberOf(value: string) {
  const number = Number(value)
  return value.trim() === '' || !Number.isFinite(number) ? value : number
}

/** A serial number as a date, a date and time, or a time, in ISO 8601 without a time zone. */
export function dateOf(value: string, is1904: boolean) {
  const days = numberOf(value)
  // From the first supported day to the last day of the year 9999.
  if (typeof days === 'string' || days < 0 || days >= 2_958_466) return days
  const seconds = Math.round((days % 1) * 86_400)
  if (days < 1 && !is1904 && seconds > 0) return new Date(seconds * 1000).toISOString().slice(11, 19)
  // Spreadsheet programs count 29 February 1900, which did not exist.
  const dayZero = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const moment = new Date(dayZero + Math.floor(days) * DAY_MS + seconds * 1000).toISOString()
  return seconds % 86_400 === 0 ? moment.slice(0, 10) : moment.slice(0, 19)
}

/** Decodes control characters, which are written as `_x000D_`. */
export function unescaped(text: string) {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** `C7` -> 3; 0 if it is not a cell reference. */
export function columnOf(reference: string) {
  let column = 0
  for (let index = 0; index < reference.length; index += 1) {
    const letter = reference.charCodeAt(index) & ~32
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
    if (column > 1_000_000) break
  }
  return column
}
