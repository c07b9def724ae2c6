import type { ErrorBody } from '@watchdesk/contract/errors'
import type { Operation, Schema } from './operations.ts'
import { validBody } from './requests.ts'
import type { ApiResponse } from './watchdesk.ts'

/** A value of every JSON type, including those that a lenient server would convert. */
const VALUES: unknown[] = [
  ...[1, 0.5, -1, 1e300, true, null, {}, [], ['text'], [1], { value: 1 }],
  ...['text', '1', 'true', '', '0000-01-01T00:00:00', '2026-02-30T00:00:00', '2026-11-15'],
]

/** The values that do not match the schema. */
export function wrongValues(schema: Schema) {
  return VALUES.filter((value) => !fits(schema, value))
}

function fits(schema: Schema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((option) => fits(option, value))
  if (schema.const !== undefined) return value === schema.const
  if (schema.enum) return schema.enum.includes(value)
  return [schema.type ?? []].flat().some((type) => isOf(type, schema, value))
}

function isOf(type: string, schema: Schema, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value) && value.every((item) => fits(schema.items ?? {}, item))
  // None of the values is a valid email address, link or time.
  if (type === 'string' && schema.format === 'date') return value === '2026-11-15'
  if (type === 'string')
    return typeof value === 'string' && !schema.format && new RegExp(schema.pattern ?? '').test(value)
  if (type === 'integer') return Number.isSafeInteger(value) && isWithin(schema, value)
  if (type === 'number') return typeof value === 'number' && isWithin(schema, value)
  if (type === 'object') return isObject(value) && (schema.required ?? []).every((key) => key in value)
  return typeof value === type
}

function isWithin({ minimum = -Infinity, maximum = Infinity }: Schema, value: unknown) {
  return Number(value) >= minimum && Number(value) <= maximum
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Field = { path: (string | number)[]; schema: Schema; isRequired: boolean }

/** The paths of the body, its fields, nested fields and list entries. */
export function fieldsOf(schema: Schema, path: Field['path'] = [], isRequired = false): Field[] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    fieldsOf(field, [...path, name], schema.required?.includes(name)),
  )
  const entries = schema.items ? fieldsOf(schema.items, [...path, 0]) : []
  const options = (schema.anyOf ?? []).flatMap((option) => fieldsOf(option, path).slice(1))
  return [{ path, schema, isRequired }, ...inner, ...entries, ...options]
}

/** A body with one value replaced, or removed if no value is given. */
export function replaced(body: unknown, [key, ...rest]: Field['path'], value: unknown): unknown {
  if (key === undefined) return value
  if (typeof key === 'number') return [replaced(undefined, rest, value)]
  const { [key]: old, ...others } = Object(body)
  return value === undefined && rest.length === 0 ? others : { ...others, [key]: replaced(old, rest, value) }
}

const NUMBERS = [
  'text',
  '',
  '0',
  '-1',
  '%2B1',
  '%201',
  '1%20',
  '1.5',
  '1e2',
  '0x10',
  'true',
  'null',
  '9'.repeat(20),
  '١',
]

/** Invalid texts for a path or query parameter, URL-encoded. */
export function wrongTexts(schema: Schema): string[] {
  const type = schema.anyOf?.[0]?.format ?? schema.format ?? schema.type
  if (schema.enum) {
    return ['text', '', '1', 'true', 'null', '%00', '--id', 'ID'].filter((text) => !schema.enum?.includes(text))
  }
  if (type === 'integer') return NUMBERS.filter((text) => text !== '0' || schema.minimum !== 0)
  // An empty list is the same as none.
  if (type === 'array' && schema.items?.type === 'string') return wrongTexts(schema.items).filter(Boolean)
  if (type === 'array')
    return [...NUMBERS.filter(Boolean), '1,', ',1', '1,,2', '1;2', '[1]', '1,text', `1,${'9'.repeat(20)}`]
  if (type === 'date') return ['text', '', '1', '2026', '2026-13-01', '2026-02-30', '2026-01-01T00:00:00', '0000-01-01']
  if (type === 'date-time')
    return [...NUMBERS, '2026-11-15', '2026-11-15T09:30:00', '2026-13-01T00:00:00Z', '0000-01-01T00:00:00Z']
  if (type === 'number') return ['text', '', '-1', '%2B1', '%201', '1.1', '.5', '1e-1', 'true', 'null', '0x1', 'NaN']
  if (type === 'string') return ['%00', 'x'.repeat((schema.maxLength ?? 0) + 1)]
  throw new Error(`No wrong texts for ${JSON.stringify(schema)} in test/helpers/wrong-values.ts`)
}

/** So many of the values, other ones for the next field: fields are checked by the same few schemas. */
export function inShares<Value>(values: Value[], nth: number, most: number) {
  return values.filter((_, index) => (index + nth) % values.length < most)
}

type Wrong = { path: Field['path']; value: unknown }

/**
 * The wrong values that a call accepts, of so many for each field: those whose location is missing in its 422. Fields are checked independently, so
 * many wrong ones are sent at once; only what was not reported is sent again, alone.
 */
export async function acceptedValues(
  operation: Operation,
  send: (body: unknown) => Promise<ApiResponse<ErrorBody>>,
  most = Infinity,
): Promise<unknown[]> {
  const wrong = fieldsOf(operation.body ?? {}).flatMap(({ path, schema, isRequired }, nth) =>
    [...inShares(wrongValues(schema), nth, most), ...(isRequired ? [undefined] : [])].map((value) => ({ path, value })),
  )
  return acceptedAmong(wrong, {
    isApart: (one, other) => isApart(one.path, other.path),
    locOf: ({ path }) => ['body', ...path],
    send: (some) =>
      send(some.reduce<unknown>((body, { path, value }: Wrong) => replaced(body, path, value), validBody(operation))),
  })
}

type Sweep<Each> = {
  /** Whether the two can be sent in one request. */
  isApart(one: Each, other: Each): boolean
  locOf(each: Each): (string | number)[]
  send(some: Each[]): Promise<ApiResponse<ErrorBody>>
}

export async function acceptedAmong<Each>(wrong: Each[], { isApart, locOf, send }: Sweep<Each>): Promise<unknown[]> {
  const batches: Each[][] = []
  for (const each of wrong) {
    const free = batches.find((batch) => batch.every((other) => isApart(each, other)))
    if (free) free.push(each)
    else batches.push([each])
  }
  const accepted = []
  for (const batch of batches) {
    const response = await send(batch)
    for (const each of batch.filter((one) => !isNamed(response, locOf(one)))) {
      const alone = batch.length === 1 ? response : await send([each])
      if (!isNamed(alone, locOf(each))) accepted.push({ ...each, status: alone.status, body: alone.body })
    }
  }
  return accepted
}

/** Whether the response is a 422 whose errors contain the location. */
function isNamed({ status, body }: ApiResponse<ErrorBody>, loc: (string | number)[]) {
  const errors = Array.isArray(body.detail) ? body.detail : []
  return status === 422 && errors.some((error) => loc.every((part, index) => error.loc[index] === part))
}

/** Neither is inside the other, nor in the same list. */
function isApart(one: Field['path'], other: Field['path']) {
  const differs = one.findIndex((key, index) => key !== other[index])
  return differs !== -1 && differs < other.length && !one.slice(0, differs).includes(0)
}
