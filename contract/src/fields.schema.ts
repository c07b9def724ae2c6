import { z } from 'zod'
import { DAY_PATTERN, dayError } from './day.ts'
import { FILE_TYPES } from './file-types.ts'
import { LENGTH, LIST_LENGTH, MAX_ID } from './limits.ts'
import { keysOf } from './list.ts'

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
    .meta({ pattern: '^[^\\u0000]*$' })
}

/** JSON Schema for text with a visible character, and without the NUL character. */
const VISIBLE = { pattern: '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$' }

/** Text with at least one visible character. */
export function requiredText(max: number, message: string) {
  return text(max, message)
    .refine((value) => value.trim() !== '', message)
    .meta(VISIBLE)
}

/** A name, trimmed. */
export function name(message: string) {
  return limited(z.string(missing(message)).trim(), LENGTH.name)
    .refine((value) => value !== '', message)
    .meta(VISIBLE)
}

export function email(message = 'Email is required!') {
  return requiredText(LENGTH.email, message)
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

export const Id = z
  .int()
  .min(1)
  .max(MAX_ID)
  .meta({ description: 'Id of the record', examples: [17] })

/** A whole number in a body or a response. */
export function int(description: string, example: number, { min, max }: { min: number; max?: number }) {
  const atLeast = z.int().min(min)
  return (max === undefined ? atLeast : atLeast.max(max)).meta({ description, examples: [example] })
}

/** A number of rows or records in a response. */
export function count(description: string) {
  return int(description, 42, { min: 0 })
}

/** A text in a response. */
export function string(description: string, example: string) {
  return z.string().meta({ description, examples: [example] })
}

export function stringOrNull(description: string, example: string) {
  return z
    .string()
    .nullable()
    .meta({ description, examples: [example] })
}

export const FileFormat = z.enum(keysOf(FILE_TYPES)).describe('File type')

/** Number of rows by outcome in a response. */
export const Outcomes = z.record(z.string(), count('Number of rows'))

/** Changed fields in a response. */
export function changes(description: string, examples: [Record<string, { before: unknown; after: unknown }>]) {
  return z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })).meta({ description, examples })
}

/** All records of a response that has no pages. */
export function objectsOf<Item extends z.ZodType>(item: Item, objects: string, description: string) {
  return z.object({ objects: z.array(item).describe(objects) }).describe(description)
}

/** A time in a response. */
export function timestamp(description: string) {
  return z.string().meta({ description: `${description}, in UTC`, examples: ['2026-11-16T09:40:00.000Z'] })
}

/** The author of a change in a response, also after their account was deleted. */
export const Author = z.object({
  id: Id.describe('Id of the user'),
  name: z.string().meta({ examples: ['Olena Kovalenko'] }),
})

export function day(message?: string) {
  return z
    .string(message === undefined ? undefined : missing(message))
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

export const IdParams = z.strictObject({ id: digits(Id) })

/** The version that a write is based on: an ETag as defined by RFC 9110. */
export const IfMatch = z.object({
  'if-match': z
    .string()
    .optional()
    .meta({
      description: 'The ETag of the version you read. If the record has changed since, the call fails with 412',
      examples: ['"3"'],
    }),
})

/** Chosen by the caller: repeated calls with the same key run once and get the same response. */
export const IdempotencyKey = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\w.:-]{8,100}$/, 'Must be 8 to 100 letters, digits, dots, colons, dashes or underscores.')
    .optional()
    .meta({
      description: 'A unique key of your choice. If you repeat the call with the same key, it runs only once',
      examples: ['import-2026-11-16-01'],
    }),
})

export const Version = z
  .int()
  .min(1)
  .meta({ description: 'Version of the record. Every change increases it. Send it as If-Match', examples: [3] })

export const Nothing = z.void()

/** The request and response of an endpoint without parameters. */
export function resultOf<Result extends z.ZodType>(summary: string, result: Result) {
  return { summary, response: { 200: result } }
}

export function callOf<Body extends z.ZodType, Result extends z.ZodType>(summary: string, body: Body, result: Result) {
  return { summary, body, response: { 200: result } }
}

/** A call that runs once, even if it is repeated. */
export function onceOf<Body extends z.ZodType, Result extends z.ZodType>(summary: string, body: Body, result: Result) {
  return { summary, headers: IdempotencyKey, body, response: { 200: result } }
}

/** Reads or restores a record. */
export function readOf<Entity extends z.ZodType>(summary: string, record: Entity) {
  return { summary, params: IdParams, response: { 200: record } }
}

/** Reads some of what belongs to a record, such as its rows. */
export function partOf<Query extends z.ZodType, Part extends z.ZodType>(summary: string, query: Query, part: Part) {
  return { summary, params: IdParams, querystring: query, response: { 200: part } }
}

export function editOf<Body extends z.ZodType, Entity extends z.ZodType>(summary: string, body: Body, record: Entity) {
  return { summary, params: IdParams, headers: IfMatch, body, response: { 200: record } }
}

export function deleteOf(summary: string) {
  return { summary, params: IdParams, headers: IfMatch, response: { 204: Nothing } }
}
