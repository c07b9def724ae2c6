import { Readable } from 'node:stream'
import { LENGTH } from '@watchdesk/contract/limits'
import { beforeAll, expect, test } from 'vitest'
import { LEXICAL_MODEL } from '../../../src/adapters/embeddings/lexical.ts'
import { FORM_TYPE, multipart } from '../../helpers/form.ts'
import { isForSessions, type Operation, type Schema } from '../../helpers/operations.ts'
import type { Pair } from '../../helpers/pair.ts'
import { measureLoad, overload, PATHOLOGICAL, pathological } from '../../helpers/pathological.ts'
import { FIRST_ADMIN, openSession } from '../../helpers/people.ts'
import { addressOf, placeOf, validBody } from '../../helpers/requests.ts'
import { ADMIN, type Caller, useWatchdesk } from '../../helpers/watchdesk.ts'
import { workbook } from '../../helpers/workbook.ts'
import { fieldsOf, replaced } from '../../helpers/wrong-values.ts'

const isText = ({ type }: Schema) => [type ?? []].flat().includes('string')
const textFields = ({ body }: Operation) =>
  fieldsOf(body ?? {}).filter(({ schema }) => isText(schema) || schema.anyOf?.some(isText))
const limitOf = (schema: Schema) => schema.maxLength ?? schema.anyOf?.find(isText)?.maxLength
const BODY_BYTES = 1_000_000
const PIECE = 65_536
/** A text is sent in every second field. */
const FIELDS_OF_A_KIND = 2

/** Lone surrogates cannot be encoded in a URL. */
const ENCODABLE = PATHOLOGICAL.filter((kind) => kind !== 'halves of surrogates')

const HEADERS = [
  'authorization',
  'if-match',
  'idempotency-key',
  'content-type',
  'user-agent',
  'x-forwarded-for',
  'expect',
]
const HEADER_KINDS = ['slashes', 'spaces', 'brackets', 'dots', 'signs of patterns', 'quotes']
const FILLINGS = ['[', '{"a":', '[[],', '"\\u0301', '[0,', '{"":']

/** Sent in chunks, as over a network. */
function importRecords(sheet_records: unknown[]) {
  const bytes = Buffer.from(JSON.stringify({ email: ADMIN.email, sheet_url: null, sheet_records }))
  const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, index) =>
    bytes.subarray(index * PIECE, (index + 1) * PIECE),
  )
  const headers = { 'content-type': 'application/json' }
  return (call: Caller) => call('POST', '/api/v1/source_import/sources', Readable.from(pieces), headers)
}

const COLUMNS = ['narrative_id', 'message_composite_id', 'story', 'sentiment_score']
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const escaped = (cell: string) => cell.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Rows with the text in one column each. */
async function filesFull(kind: string) {
  const rows = (length: number) =>
    COLUMNS.flatMap((column) => {
      const row = COLUMNS.map((name) => (name === column ? pathological(kind, length) : '7'))
      return Array.from({ length: 6 }, () => row)
    })
  const inline = (cell: string) => `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
  const xml = [COLUMNS, ...rows(32_000)].map((cells) => `<row>${cells.map(inline).join('')}</row>`)
  const csv = [COLUMNS, ...rows(100_000)].map((cells) => cells.map(quoted).join(','))
  // XML cannot contain half a surrogate pair.
  const hasXlsx = kind !== 'halves of surrogates'
  return { 'a.csv': csv.join('\n'), ...(hasXlsx && { 'a.xlsx': await workbook(xml.join('')) }) }
}

type Options = {
  pair: Pair
  /** Parameters are checked by the same few schemas, so each of them gets some of the texts, and together all. */
  pairParameters: Pair
  /** The texts that fill whole files and imports. */
  kinds: string[]
}

/** Texts that make careless code take long. Returns how many calls there are. */
export function sweepPathological(all: Operation[], { pair, pairParameters, kinds }: Options) {
  const operations = all.filter(isForSessions).map((operation) => ({ operation, name: operation.name }))
  const withBody = operations.filter(({ operation }) => operation.body)
  const writing = operations.filter(({ operation }) => operation.method !== 'GET')
  const parameters = operations.flatMap(({ operation, name }) =>
    operation.parameters
      .filter((parameter) => parameter.in !== 'header')
      .map((parameter) => ({ operation, name, parameter })),
  )
  const watchdesk = useWatchdesk()
  const addresses = new Map<Operation, string>()
  const counted = { calls: 0 }

  beforeAll(async () => {
    for (const { operation } of operations)
      addresses.set(operation, await addressOf(watchdesk, operation, placeOf(operation), 1))
    // Warms up, so that compilation and connecting are not measured.
    await measureLoad(() => importRecords([{ source_url: 't.me/x' }])(watchdesk.admin))
  })

  /** Each call has its own session, because some calls end it. */
  async function check(what: string, send: (call: Caller) => Promise<unknown>) {
    counted.calls += 1
    const call = await openSession(watchdesk, FIRST_ADMIN.id)
    const load = await overload(() => send(call))
    return load ? [{ what, ...load }] : []
  }

  test.each(
    pair(
      withBody.filter(({ operation }) => textFields(operation).length > 0),
      [...PATHOLOGICAL.entries()],
    ),
  )(
    '$name reads any text in any field of its body without blocking',
    async ({ operation, ways }) => {
      const failures: unknown[] = []
      const fields = textFields(operation).map(({ path, schema }) => ({ path, longest: limitOf(schema) }))
      // Beyond their limits, fields are refused, all of them in one call. Any other may reach the database.
      const limited = fields.filter(({ path, longest }) => longest !== undefined && path.length <= 2)
      for (const [nth, kind] of ways) {
        const most = BODY_BYTES / (kind.includes('surrogates') ? 6 : 4)
        const texts = fields.flatMap(({ path, longest = LENGTH.name }) => [
          { paths: [path], length: longest },
          ...(limited.some((field) => field.path === path) || path.length > 2 ? [] : [{ paths: [path], length: most }]),
        ])
        if (limited.length > 0) texts.push({ paths: limited.map(({ path }) => path), length: most / limited.length })
        // Fields are checked by the same few schemas, so each of several gets some of the texts, and together all.
        const share = Math.min(texts.length, FIELDS_OF_A_KIND)
        for (const { paths, length } of texts.filter((_, index) => (index + nth) % share === 0)) {
          const text = pathological(kind, length)
          const body = JSON.stringify(
            paths.reduce<unknown>((made, path) => replaced(made, path, text), validBody(operation)),
          )
          const send = (call: Caller) =>
            call(operation.method, addresses.get(operation) ?? '', body, { 'content-type': 'application/json' })
          failures.push(...(await check(`${paths.map((path) => path.join('.'))}: ${length} of ${kind}`, send)))
        }
      }
      expect(failures).toEqual([])
    },
    300_000,
  )

  test.each(pairParameters(parameters, ENCODABLE, 4))(
    '$name reads any text as $parameter.name without blocking',
    async ({ operation, parameter, ways }) => {
      const failures: unknown[] = []
      for (const kind of ways) {
        const encoded = (length: number) => encodeURIComponent(pathological(kind, length))
        const [path = ''] = (addresses.get(operation) ?? '').split('?')
        const address =
          parameter.in === 'query'
            ? `${path}?${parameter.name}=${encoded(parameter.schema.maxLength ?? 1500)}`
            : operation.path.replace(`{${parameter.name}}`, encoded(90)).replace(/\{\w+\}/, '1')
        failures.push(...(await check(kind, (call) => call(operation.method, address))))
      }
      expect(failures).toEqual([])
    },
    120_000,
  )

  // All calls read headers with the same code.
  test.each(
    pair(
      writing.map((each, index) => ({ ...each, kind: HEADER_KINDS[index % HEADER_KINDS.length] ?? '' })),
      HEADERS,
      0,
    ),
  )(
    '$name reads headers full of $kind without blocking',
    async ({ operation, kind, ways }) => {
      const failures: unknown[] = []
      const { method, path, body } = operation
      const value = `application/json;${pathological(kind, 12_000)}`
      for (const header of ways) {
        const send = (call: Caller) => call(method, path.replace(/\{\w+\}/, '1'), body && '{}', { [header]: value })
        failures.push(...(await check(header, send)))
      }
      expect(failures).toEqual([])
    },
    300_000,
  )

  test.each(pair(withBody, FILLINGS, 0))(
    '$name reads a body that repeats its beginning to its end without blocking',
    async ({ operation, ways }) => {
      const failures: unknown[] = []
      for (const filling of ways) {
        const json = filling.repeat(Math.floor(BODY_BYTES / filling.length))
        const address = operation.path.replace(/\{\w+\}/, '1')
        const send = (call: Caller) => call(operation.method, address, json, { 'content-type': 'application/json' })
        failures.push(...(await check(filling, send)))
      }
      expect(failures).toEqual([])
    },
    120_000,
  )

  test.each(kinds)(
    'an import of sources full of %s is checked without blocking',
    async (kind) => {
      const url = () => `t.me/${Math.random()}`
      const sheet_records = [
        ...Array.from({ length: 1_000 }, () => ({ source_url: `${url()}${pathological(kind, 1_900)}` })),
        ...Array.from({ length: 1_000 }, () => ({ source_url: pathological(kind, LENGTH.link) })),
        ...Array.from({ length: 1_500 }, () => ({
          source_url: url(),
          source_country: pathological(kind, LENGTH.country),
        })),
        ...Array.from({ length: 30 }, () => ({ source_url: url(), source_country: pathological(kind, 50_000) })),
        ...Array.from({ length: 30 }, () => ({ source_url: url(), [pathological(kind, 50_000)]: 'x' })),
      ]
      expect(await check(kind, importRecords(sheet_records))).toEqual([])
    },
    120_000,
  )

  test.each(kinds)(
    'files with cells full of %s in every column are read without blocking',
    async (kind) => {
      const failures: unknown[] = []
      const replacement = all.find(({ name }) => name === 'PUT /api/v1/sheets/{id}/file')
      const sheet = (replacement && addresses.get(replacement)) ?? ''
      for (const [filename, content] of Object.entries(await filesFull(kind))) {
        const body = multipart([{ name: 'file', filename, content }])
        for (const [method, url] of [
          ['POST', '/api/v1/stories-import/from-file'],
          ['PUT', sheet],
        ] as const) {
          const send = (call: Caller) => call(method, url, body, { 'content-type': FORM_TYPE })
          failures.push(...(await check(`${url}: ${filename}`, send)))
        }
      }
      expect(failures).toEqual([])
    },
    120_000,
  )

  test.each(kinds)(
    'stories full of %s are embedded in a worker, in time',
    async (kind) => {
      const stories = Array.from({ length: 12 }, () => pathological(kind, 100_000))
      const embed = () => watchdesk.deps.embeddings.embed(LEXICAL_MODEL, stories)
      expect(await check(kind, embed)).toEqual([])
    },
    60_000,
  )

  return counted
}
