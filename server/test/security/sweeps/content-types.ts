import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { BOUNDARY, FORM_TYPE } from '../../helpers/form.ts'
import { isForSessions, type Operation } from '../../helpers/operations.ts'
import type { Pair } from '../../helpers/pair.ts'
import { FIRST_ADMIN, insertUser, openSession } from '../../helpers/people.ts'
import { type RawResponse, rawRequest, sendRaw } from '../../helpers/raw.ts'
import { addressOf, placeOf, validBody, validCall } from '../../helpers/requests.ts'
import { mailSettings } from '../../helpers/smtp.ts'
import { ORIGIN } from '../../helpers/soft-passkey.ts'
import { useWatchdesk } from '../../helpers/watchdesk.ts'

const type = (value: string) => `Content-Type: ${value}`

/** JSON with another content type. */
const OTHER_TYPES = [
  'text/plain',
  'text/plain;charset=UTF-8',
  'text/plain; application/json',
  'text/plain; x="application/json"',
  'text/json',
  'text/html',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded, application/json',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/octet-stream',
  'application/jsonx',
  'application/json2',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application/x-json',
  'application/json, text/plain',
  'text/plain, application/json',
  'application/json; charset=utf-16',
  'application/json;charset=utf-7',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json; charset',
  'application/json; boundary=x',
  'application/json text/plain',
  'application/json/',
  'application//json',
  'application\\json',
  'application/*',
  '*/*',
  'json',
  '"application/json"',
  "application/json'",
  '/',
  '',
]

const TRICKS: Record<string, { headers: string[]; body?: (json: string) => Buffer | string }> = {
  ...Object.fromEntries(OTHER_TYPES.map((value) => [`Content-Type "${value}"`, { headers: [type(value)] }])),
  'no content type': { headers: [] },
  'two content types, JSON first': { headers: [type('application/json'), type('text/plain')] },
  'two content types, JSON last': { headers: [type('text/plain'), type('application/json')] },
  'a form': { headers: [type('application/x-www-form-urlencoded')], body: () => 'first_name=Mallory&name=Mallory' },
  'a multipart form': {
    headers: [type('multipart/form-data; boundary=x')],
    body: () => '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nMallory\r\n--x--\r\n',
  },
  'JSON in UTF-16': { headers: [type('application/json')], body: (json) => Buffer.from(json, 'utf16le') },
  'JSON with bytes that are not UTF-8': {
    headers: [type('application/json')],
    body: (json) => Buffer.from(JSON.stringify({ ...JSON.parse(json), strange: 'ÿ' }), 'latin1'),
  },
  'gzip that is announced': {
    headers: [type('application/json'), 'Content-Encoding: gzip'],
    body: (json) => gzipSync(json),
  },
  'gzip that is not announced': { headers: [type('application/json')], body: (json) => gzipSync(json) },
  ...Object.fromEntries(
    ['gzip', 'br', 'deflate', 'identity, gzip', 'x'].map((coding) => [
      `plain JSON announced as ${coding}`,
      { headers: [type('application/json'), `Content-Encoding: ${coding}`] },
    ]),
  ),
}

/** What a call with a parser of its own would accept, so that every call is tried with them. */
const COMMON = ['Content-Type "text/plain"', 'no content type', 'a form', 'a multipart form', 'gzip that is announced']

const SPELLINGS = [
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
]

const BROKEN: [what: string, status: number, change: (json: string) => string][] = [
  ['is cut off', 400, (json) => json.slice(0, -1)],
  ['is followed by something', 400, (json) => `${json}x`],
  ['is empty', 400, () => ''],
  ['is too large', 413, (json) => `${json}${' '.repeat(100_000)}`],
  ['is poisoned with __proto__', 400, (json) => poisoned(json, '"__proto__":{"polluted":true}')],
  ['is poisoned with an escaped __proto__', 400, (json) => poisoned(json, '"__pr\\u006fto__":{"polluted":true}')],
  [
    'is poisoned with constructor.prototype',
    400,
    (json) => poisoned(json, '"constructor":{"prototype":{"polluted":true}}'),
  ],
  ['is poisoned deep inside', 400, (json) => poisoned(json, '"x":[{"__proto__":{"polluted":true}}]')],
  ['has a constructor', 422, (json) => poisoned(json, '"constructor":true')],
  ['has a prototype', 422, (json) => poisoned(json, '"prototype":{"polluted":true}')],
  ['has a toString', 422, (json) => poisoned(json, '"toString":"x"')],
]

function poisoned(json: string, member: string) {
  return json === '{}' ? `{${member}}` : json.replace('{', `{${member},`)
}

/** A form with another or an invalid content type. */
const OTHER_FORMS: Record<string, string[]> = {
  ...Object.fromEntries(
    [
      ...OTHER_TYPES.filter((value) => !value.startsWith('multipart/')),
      ...['application/json', 'multipart/form-data', 'multipart/form-data; boundary', 'multipart/form-data; boundary='],
      ...[`multipart/mixed; boundary=${BOUNDARY}`, `multipart/form-data2; boundary=${BOUNDARY}`],
      ...[`multipart/form-data; boundary=${'x'.repeat(71)}`, `${FORM_TYPE}, text/plain`, `text/plain, ${FORM_TYPE}`],
      ...[`${FORM_TYPE}; charset=utf-16`, `${FORM_TYPE}; boundary=y`, `x; ${FORM_TYPE}`],
    ].map((value) => [`Content-Type "${value}"`, [type(value)]]),
  ),
  'no content type': [],
  'two content types, the form first': [type(FORM_TYPE), type('text/plain')],
  'two content types, the form last': [type('text/plain'), type(FORM_TYPE)],
  'two borders': [type(FORM_TYPE), type('multipart/form-data; boundary=y')],
  ...Object.fromEntries(
    ['gzip', 'br', 'deflate', 'identity, gzip', 'x'].map((coding) => [
      `a form announced as ${coding}`,
      [type(FORM_TYPE), `Content-Encoding: ${coding}`],
    ]),
  ),
}

const BROKEN_FORMS: [what: string, change: (form: Buffer) => Buffer][] = [
  ['is cut off', (form) => form.subarray(0, -20)],
  ['has another border', (form) => Buffer.from(form.toString().replaceAll(BOUNDARY, 'other'))],
  ['is empty', () => Buffer.alloc(0)],
  ['is JSON', () => Buffer.from('{"file":"x"}')],
]

export function detailOf({ body }: RawResponse): unknown {
  return JSON.parse(body).detail
}

const LIMITS = { BODY_LIMIT_BYTES: '100000', IMPORT_BODY_LIMIT_BYTES: '100000' }

/** Bodies that are not what the call takes. Returns the port of the app. */
export function sweepContentTypes(operations: Operation[], pair: Pair) {
  const writes = operations
    .filter((operation) => operation.method !== 'GET' && isForSessions(operation))
    .map((operation) => ({ operation, name: operation.name }))
  const withBody = writes.filter(({ operation }) => operation.body)
  const withForm = writes.filter(({ operation }) => operation.form)
  const others = writes.filter(({ operation }) => !operation.form)
  const withoutBody = others.filter(({ operation }) => !operation.body)

  const server = { port: 0 }
  const watchdesk = useWatchdesk({ ...mailSettings(), PUBLIC_URL: ORIGIN, ...LIMITS })
  /** Calls about the account may end the sessions of the first admin, which other calls need. */
  let other: number

  beforeAll(async () => {
    other = (await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })).id
    server.port = Number(new URL(await watchdesk.app.listen({ host: '127.0.0.1', port: 0 })).port)
  })

  test.each(pair(others, Object.keys(TRICKS)))('$name accepts only JSON', async ({ operation, ways }) => {
    const send = await begin(operation)
    const taken = []
    for (const name of new Set([...COMMON, ...ways])) {
      const { headers = [], body } = TRICKS[name] ?? {}
      const response = await send(headers, body?.(jsonOf(operation)) ?? jsonOf(operation))
      const isRefused = [400, 415].includes(response.status) && typeof detailOf(response) === 'string'
      if (!isRefused) taken.push({ name, status: response.status, body: response.body })
    }
    expect(taken).toEqual([])
  })

  test.each(pair(withBody, SPELLINGS, 0))('$name takes JSON', async ({ operation, ways }) => {
    // A record can be restored or removed only once.
    for (const way of ways) {
      const send = await begin(operation)
      expect((await send([type(way)], jsonOf(operation))).status).toBe(operation.status)
    }
  })

  test.each(pair(withBody, BROKEN, 0))('$name refuses a broken body', async ({ operation, ways }) => {
    const send = await begin(operation)
    for (const [what, status, change] of ways) {
      const response = await send([type('application/json')], change(jsonOf(operation)))
      expect([what, response.status]).toEqual([what, status])
      expect(detailOf(response)).toBeTruthy()
      expect(Reflect.get({}, 'polluted')).toBeUndefined()
    }
  })

  test.each(pair(withoutBody, ['nothing'], 0))(
    '$name works with a JSON content type and no body',
    async ({ operation }) => {
      const send = await begin(operation)
      expect([400, 415]).not.toContain((await send([type('application/json')], '')).status)
    },
  )

  test.each(pair(withForm, Object.entries(OTHER_FORMS)))('$name accepts only a form', async ({ operation, ways }) => {
    const send = await begin(operation)
    const taken = []
    for (const [name, headers] of ways) {
      const response = await send(headers, formOf(operation))
      const isRefused = response.status === 415 && typeof detailOf(response) === 'string'
      if (!isRefused) taken.push({ name, status: response.status, body: response.body })
    }
    expect(taken).toEqual([])
  })

  test.each(pair(withForm, ['any'], 0))('$name takes any spelling of a form', async ({ operation }) => {
    for (const value of [FORM_TYPE, `Multipart/Form-Data;boundary="${BOUNDARY}"`]) {
      const send = await begin(operation)
      expect((await send([type(value)], formOf(operation))).status).toBe(operation.status)
    }
  })

  test.each(pair(withForm, BROKEN_FORMS))('$name refuses a broken form', async ({ operation, ways }) => {
    const send = await begin(operation)
    for (const [what, change] of ways) {
      const response = await send([type(FORM_TYPE)], change(formOf(operation)))
      expect([what, response.status]).toEqual([what, expect.toSatisfy((status) => [400, 422].includes(status))])
      expect(detailOf(response)).toBeTruthy()
    }
  })

  return server

  /** Sends requests to the same address with a new session, which a successful call may end. */
  async function begin(operation: Operation) {
    const caller = operation.access === 'account' ? other : FIRST_ADMIN.id
    const address = await addressOf(watchdesk, operation, placeOf(operation), 1, caller)
    const { token } = await openSession(watchdesk, caller)
    return (headers: string[], body: Buffer | string) => {
      const all = [`Authorization: Bearer ${token}`, `Origin: ${ORIGIN}`, ...headers]
      return sendRaw(server.port, rawRequest({ method: operation.method, address, headers: all, body }))
    }
  }
}

function jsonOf(operation: Operation) {
  return JSON.stringify(validBody(operation) ?? {})
}

function formOf(operation: Operation) {
  return validCall(operation)[0] as Buffer
}
