import { z } from 'zod'
import { LENGTH, LIST_LENGTH, MAX_ID } from './limits.ts'

/** Options that set the specified message for a missing field, and keep zod's messages for wrong types. */
export function missing(message: string) {
  return {
    error: (issue: { input?: unknown }) => (issue.input === undefined || issue.input === null ? message : undefined),
  }
}

/** Any text that PostgreSQL can store. */
export function text(max: number, message?: string) {
  return limited(z.string(message === undefined ? undefined : missing(message)), max)
}

function limited(string: z.ZodString, max: number) {
  return string
    .max(max, `At most ${max.toLocaleString('en')} characters.`)
    .refine((value) => !value.includes('\0'), 'Must not contain the NUL character.')
    .refine((value) => !/\p{Surrogate}/u.test(value), 'Must not contain incomplete Unicode characters.')
}

/** Text with at least one visible character. */
export function requiredText(max: number, message: string) {
  return text(max, message).refine((value) => value.trim() !== '', message)
}

/** A name, trimmed. */
export function name(message: string) {
  return limited(z.string(missing(message)).trim(), LENGTH.name).refine((value) => value !== '', message)
}

export function email(message = 'Email is required!') {
  return requiredText(LENGTH.email, message)
    .pipe(z.email('Email must be a valid email address.'))
    .meta({ format: 'email' })
}

export function uniqueList<Item extends z.ZodType<string | number>>(item: Item) {
  return z
    .array(item)
    .max(LIST_LENGTH, `At most ${LIST_LENGTH} entries.`)
    .refine((list) => new Set(list).size === list.length, 'The list contains the same entry twice.')
}

export const Id = z.int().min(1).max(MAX_ID)

const DAY = /^(\d{4}-\d{2}-\d{2})T00:00:00$/

/** A date: year-month-day followed by T00:00:00. */
export function day(message?: string) {
  return z
    .string(message === undefined ? undefined : missing(message))
    .refine(isDay, 'Must be a day written as YYYY-MM-DDT00:00:00.')
    .meta({ pattern: DAY.source })
}

function isDay(value: string) {
  const match = DAY.exec(value)
  if (!match || value < '0001') return false
  const time = Date.parse(`${match[1]}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(match[1] ?? '')
}

/** A number in a path or query: digits only, no sign, no spaces. */
export function digits<Range extends z.ZodType<number, number>>(range: Range) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'Must be a whole number.')
    .transform(Number)
    .pipe(range)
}

export const IdParams = z.strictObject({ id: digits(Id) })

/** The version that a write is based on: an ETag as defined by RFC 9110. */
export const IfMatch = z.object({ 'if-match': z.string().optional() })

/** Chosen by the caller: repeated calls with the same key run once and get the same response. */
export const IdempotencyKey = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\w.:-]{8,100}$/, 'Must be 8 to 100 letters, digits, dots, colons, dashes or underscores.')
    .optional(),
})

export const Version = z.int().describe('Incremented by every change; the ETag to send as If-Match')

export const Nothing = z.void()
