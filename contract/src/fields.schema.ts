import { z } from 'zod'
import { DAY_PATTERN, dayError } from './day.ts'
import { FILE_TYPES } from './file-types.ts'
import { LENGTH, LIST_LENGTH, MAX_ID } from './limits.ts'
import { keysOf } from './list.ts'

/** Options that set the specified message for a missing field, and keep zod's messages for wrong types. */
export function missing(message: string | undefined) {
  return {
    error: (issue: { input?: unknown }) => (issue.input === undefined || issue.input === null ? message : undefined),
  }
}

export function about<Field extends z.ZodType>(field: Field, description: string, example: unknown): Field {
  return field.meta({ description, examples: [example] })
}

/** Any text that PostgreSQL can store. */
export function text(max: number, message?: string) {
  return limited(z.string(missing(message)), max)
}

function limited(string: z.ZodString, max: number) {
  return string
    .max(max, `At most ${max.toLocaleString('en')} characters.`)
    .refine((value) => !value.includes('\0'), 'Must not contain the NUL character.')
    .refine((value) => !/\p{Surrogate}/u.test(value), 'Must not contain incomplete Unicode characters.')
    .meta({ pattern: '^[^\\u0000]*$' })
}

/** JSON Schema for text with a visible character, and without the NUL character. */
const VISIBLE = { pattern: '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$' }

export function requiredText(max: number, message: string) {
  return text(max, message)
    .refine((value) => value.trim() !== '', message)
    .meta(VISIBLE)
}

export function name(message: string) {
  return limited(z.string(missing(message)).trim(), LENGTH.name)
    .refine((value) => value !== '', message)
    .meta(VISIBLE)
}

export function email() {
  return requiredText(LENGTH.email, 'Email is required!')
    .pipe(z.email('Email must be a valid email address.'))
    .meta({
      format: 'email',
      pattern: z.regexes.email.source,
      description: 'Email address',
      examples: ['olena@example.com'],
    })
}

export function uniqueList<Item extends z.ZodType<string | number>>(item: Item) {
  return z
    .array(item)
    .max(LIST_LENGTH, `At most ${LIST_LENGTH} entries.`)
    .refine((list) => new Set(list).size === list.length, 'The list contains the same entry twice.')
    .meta({ uniqueItems: true })
}

export const Id = about(z.int().min(1).max(MAX_ID), 'Id of the record', 17)

/** A whole number in a body or a response. `required` is the message if it is missing. */
export function int(description: string, example: number, range: { min: number; max?: number }, required?: string) {
  const { min, max } = range
  const atLeast = z.int(missing(required)).min(min)
  return about(max === undefined ? atLeast : atLeast.max(max), description, example)
}

export function count(description: string) {
  return int(description, 42, { min: 0 })
}

export function string(description: string, example: string) {
  return about(z.string(), description, example)
}

export function stringOrNull(description: string, example: string) {
  return about(z.string().nullable(), description, example)
}

export function object<Shape extends z.ZodRawShape>(description: string, shape: Shape) {
  return z.object(shape).describe(description)
}

export function objectOrNull<Shape extends z.ZodRawShape>(description: string, shape: Shape) {
  return z.object(shape).nullable().describe(description)
}

export function objects<Shape extends z.ZodRawShape>(description: string, shape: Shape) {
  return z.array(z.object(shape)).describe(description)
}

export const FileFormat = z.enum(keysOf(FILE_TYPES)).describe('File type')

export const Outcomes = z.record(z.string(), count('Number of rows'))

export function changes(description: string, examples: [Record<string, { before: unknown; after: unknown }>]) {
  return z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })).meta({ description, examples })
}

export function timestamp(description: string) {
  return string(`${description}, in UTC`, '2026-11-16T09:40:00.000Z')
}

/** The author of a change in a response, also after their account was deleted. */
export const Author = z.object({
  id: Id.describe('Id of the user'),
  name: z.string().meta({ examples: ['Olena Kovalenko'] }),
})

export function day(message?: string) {
  return z
    .string(missing(message))
    .superRefine((value, context) => {
      const error = dayError(value)
      if (error) context.addIssue({ code: 'custom', message: error })
    })
    .meta({ pattern: DAY_PATTERN, description: 'A day, followed by T00:00:00', examples: ['2026-12-01T00:00:00'] })
}

/** A number in a path or query: digits only, no sign, no spaces. */
export function digits<Range extends z.ZodType<number, number>>(range: Range) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'Must be a whole number.')
    .transform(Number)
    .pipe(range)
}

export const Version = int('Version of the record. Every change increases it. Send it as If-Match', 3, { min: 1 })
