import { z } from 'zod'
import { digits, Id } from './fields.schema.ts'

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

export const Nothing = z.void()

export function objectsOf<Item extends z.ZodType>(item: Item, objects: string, description: string) {
  return z.object({ objects: z.array(item).describe(objects) }).describe(description)
}

export function resultOf<Result extends z.ZodType>(summary: string, result: Result) {
  return { summary, response: { 200: result } }
}

export function queryOf<Query extends z.ZodType, Result extends z.ZodType>(
  summary: string,
  querystring: Query,
  result: Result,
) {
  return { summary, querystring, response: { 200: result } }
}

export function callOf<Body extends z.ZodType, Result extends z.ZodType>(summary: string, body: Body, result: Result) {
  return { summary, body, response: { 200: result } }
}

export function sendOf<Body extends z.ZodType>(summary: string, body: Body) {
  return { summary, body, response: { 204: Nothing } }
}

/** A call that runs once, even if it is repeated. */
export function onceOf<Body extends z.ZodType, Result extends z.ZodType>(summary: string, body: Body, result: Result) {
  return { summary, headers: IdempotencyKey, body, response: { 200: result } }
}

/** Reads or restores a record. */
export function readOf<Entity extends z.ZodType>(summary: string, record: Entity) {
  return { summary, params: IdParams, response: { 200: record } }
}

export function actionOf<Body extends z.ZodType, Result extends z.ZodType>(
  summary: string,
  body: Body,
  result: Result,
) {
  return { summary, params: IdParams, body, response: { 200: result } }
}

export function partOf<Query extends z.ZodType, Part extends z.ZodType>(summary: string, query: Query, part: Part) {
  return { summary, params: IdParams, querystring: query, response: { 200: part } }
}

export function editOf<Body extends z.ZodType, Entity extends z.ZodType>(summary: string, body: Body, record: Entity) {
  return { summary, params: IdParams, headers: IfMatch, body, response: { 200: record } }
}

export function deleteOf(summary: string) {
  return { summary, params: IdParams, headers: IfMatch, response: { 204: Nothing } }
}
