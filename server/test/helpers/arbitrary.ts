import { DAY_PATTERN } from '@watchdesk/contract/day'
import fc, { type Arbitrary } from 'fast-check'
import { FORM_TYPE, multipart } from './form.ts'
import type { Operation, Schema } from './operations.ts'
import { validBody } from './requests.ts'
import { fieldsOf, replaced } from './wrong-values.ts'

export type FuzzedRequest = { method: string; path: string; headers: Record<string, string>; body: string }

const NASTY = [
  ...['', ' ', '\0', '\n', '\ud800', 'a\udfffb', '😀', '\u202e', '\ufeff', "' or 1=1 --", '%', '_', '\\', '{}'],
  ...['null', 'NaN', '1e999', '-0', '__proto__', 'javascript:alert(1)', '[]', '["fraud"]', '[null]', '0000-01-01'],
  ...[
    '0000-01-01T00:00:00',
    '2026-02-30T00:00:00',
    '9999-12-31T00:00:00',
    '2026-11-15T00:00:00',
    '9999-12-31T23:59:59-23:59',
    'x@x.xx',
  ],
  ...['x'.repeat(201), 'x'.repeat(2001), '\0'.repeat(10), 'é'.repeat(600), `https://x.example/${'y'.repeat(1990)}`],
]

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 3, arbitrary: fc.constantFrom(...NASTY) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  },
)

const anyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.1, 1e308, 5e-324, 2 ** 31, 2 ** 53, Number.MAX_VALUE),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Mostly valid, sometimes almost valid, sometimes arbitrary values. */
function jsonFor(schema: Schema): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fittingJsonFor(schema) },
    { weight: 1, arbitrary: fc.oneof(text, anyNumber, fc.constant(null), fc.boolean()) },
    { weight: 1, arbitrary: fc.jsonValue({ depthSize: 'small' }) },
  )
}

function fittingJsonFor(schema: Schema): Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(jsonFor))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  const types = [schema.type ?? 'object'].flat()
  return fc.oneof(...types.map((type) => typedJsonFor(type, schema)))
}

function typedJsonFor(type: string, schema: Schema): Arbitrary<unknown> {
  const { minimum = -10, maximum = 2 ** 31 } = schema
  if (type === 'null') return fc.constant(null)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer')
    return fc.oneof(fc.integer({ min: minimum, max: minimum + 5 }), fc.constantFrom(maximum, maximum + 1))
  if (type === 'number') return fc.oneof(fc.double({ min: minimum, max: maximum, noNaN: true }), anyNumber)
  if (type === 'array') return fc.array(jsonFor(schema.items ?? {}), { maxLength: 4 })
  if (type === 'string') return fittingTextOf(schema)
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, jsonFor(field)])
  const known = fc.record<Record<string, unknown>>(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
  const more = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ depthSize: 'xsmall' }), { maxKeys: 1 })
  return fc.oneof(
    { weight: 9, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(known, more).map(([own, strange]) => ({ ...own, ...strange })) },
  )
}

function fittingTextOf({ format, pattern }: Schema): Arbitrary<string> {
  if (format === 'email') return fc.emailAddress()
  if (format === 'uri') return fc.webUrl()
  if (format?.startsWith('date') || pattern === DAY_PATTERN) {
    return fc
      .date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') })
      .map((date) => (pattern === DAY_PATTERN ? `${date.toISOString().slice(0, 10)}T00:00:00` : date.toISOString()))
  }
  return text
}

const ids = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 8 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...words('0 -1 2147483648 abc 2026-11-15T09:30:00.000Z %00 .. %2e%2e 1%2F2 %F0%9F%98%80 1;--'),
    ),
  },
)
const PLACES = [
  ...words(
    '/ // //x /? /# * /api /api//v1/users /%61pi/v1/users/me http://elsewhere/api/v1/users/ /health/ready /metrics',
  ),
  ...words('/api/docs /index.html /assets/ /assets/x.js /..%2f..%2fpackage.json /a.b/../c.js /%00.js /%zz /%E0%A4%A'),
  `/${'x'.repeat(3000)}`,
]
const BROKEN_QUERIES = words('?% ?= ?a[b]=1 ?page=1&page=2 ?__proto__=1 ?constructor=1 ?search=%ff')

function words(text: string) {
  return text.split(' ')
}

function pathOf({ path, parameters }: Operation): Arbitrary<string> {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const fields = query.map(({ name, schema }) => [name, jsonFor(schema).map(asText)])
  const search = fc.record<Record<string, string>>(Object.fromEntries(fields), { requiredKeys: [] })
  const wellFormed = fc.tuple(ids, search).map(([id, values]) => `${path.replace(/\{\w+\}/, id)}${asQuery(values)}`)
  const broken = fc.constantFrom(...BROKEN_QUERIES)
  return fc.oneof(
    { weight: 8, arbitrary: wellFormed },
    { weight: 1, arbitrary: broken.map((end) => path.replace(/\{\w+\}/, '1') + end) },
    { weight: 1, arbitrary: fc.constantFrom(...PLACES) },
  )
}

function asText(value: unknown) {
  const items = [value].flat().map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item)))
  return items.join(',')
}

function asQuery(values: Record<string, string>) {
  // Lone surrogates cannot be encoded in a URL.
  const query = new URLSearchParams(values).toString()
  return query && `?${query}`
}

const formType = fc.constantFrom(...Array(8).fill(FORM_TYPE), 'multipart/form-data', 'application/json', 'x')

/** A form with almost the right parts and arbitrary file content. */
function formFor(form: Schema): Arbitrary<string> {
  const cell = fc.oneof({ weight: 6, arbitrary: fc.constantFrom('1', '7', 'TELEGRAM:POST:1', 'Text') }, text)
  const rows = fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  const table = rows.map((list) =>
    ['narrative_id,message_composite_id,story,sentiment_score', ...list.map((cells) => cells.join(','))].join('\n'),
  )
  const file = fc.record({
    name: fc.constant('file'),
    filename: fc.constantFrom('a.csv', 'a.csv', 'a.xlsx', 'a', ''),
    content: fc.oneof({ weight: 3, arbitrary: table }, { weight: 1, arbitrary: text }),
  })
  const names = Object.keys(form.properties ?? {})
  const field = fc.record({
    name: fc.constantFrom(...names, 'x'),
    content: fc.oneof(fc.constantFrom('true', 'false'), text),
  })
  return fc
    .tuple(fc.array(file, { minLength: 1, maxLength: 1 }), fc.array(fc.oneof(field, file), { maxLength: 1 }))
    .map(([files, more]) => multipart([...more, ...files]).toString())
}

const contentType = fc.constantFrom(...Array(8).fill('application/json'), 'text/plain', 'x')

const HEADERS = {
  'if-match': fc.constantFrom('*', '"1"', 'W/"1"', '"1", "2"', '""', ',', 'x'.repeat(500)),
  'if-none-match': fc.constantFrom('*', '"1"'),
  'user-agent': fc.string({ maxLength: 40 }).map(encodeURIComponent),
  'x-forwarded-for': fc.constantFrom('1.2.3.4', '::1', 'x'),
  range: fc.constantFrom('bytes=0-0', 'bytes=-1', 'x'),
  accept: fc.constantFrom('text/html', '*/*', 'x'),
  'accept-encoding': fc.constantFrom('br', 'gzip', '*;q=0'),
}

/** A request to one of the operations: almost valid, or with any part invalid. */
export function fuzzedRequest(operations: Operation[]): Arbitrary<FuzzedRequest> {
  // Operations with a body are chosen more often, because more can be wrong with them.
  const weighed = operations.map((operation) => ({ weight: operation.body ? 4 : 1, arbitrary: fc.constant(operation) }))
  return fc.oneof(...weighed).chain((operation) => {
    const right = bodyOf(operation)
    const cut = fc.tuple(right, fc.nat({ max: 40 })).map(([json, length]) => json.slice(0, length))
    return fc.record({
      method: fc.oneof(
        { weight: 19, arbitrary: fc.constant(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'PROPFIND') },
      ),
      path: pathOf(operation),
      headers: headersOf(operation),
      body: fc.oneof({ weight: 8, arbitrary: right }, { weight: 1, arbitrary: cut }, { weight: 1, arbitrary: text }),
    })
  })
}

function headersOf({ body, form }: Operation): Arbitrary<Record<string, string>> {
  if (!body && !form) return fc.record(HEADERS, { requiredKeys: [] }) as Arbitrary<Record<string, string>>
  const type = form ? formType : contentType
  return fc.record({ ...HEADERS, 'content-type': type }, { requiredKeys: ['content-type'] }) as Arbitrary<
    Record<string, string>
  >
}

/** A valid body with one value replaced, or a body generated from the schema. */
function bodyOf(operation: Operation): Arbitrary<string> {
  if (operation.form) return formFor(operation.form)
  if (!operation.body) return fc.constant('')
  const changed = fc
    .constantFrom(...fieldsOf(operation.body))
    .chain(({ path, schema }) => jsonFor(schema).map((value) => replaced(validBody(operation), path, value)))
  return fc
    .oneof({ weight: 3, arbitrary: changed }, { weight: 1, arbitrary: jsonFor(operation.body) })
    .map((value) => JSON.stringify(value))
}
