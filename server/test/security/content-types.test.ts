import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { BOUNDARY, FORM_TYPE } from '../helpers/form.ts'
import { isForSessions, type Operation, readOperations } from '../helpers/operations.ts'
import { FIRST_ADMIN, insertUser, openSession } from '../helpers/people.ts'
import { type RawResponse, rawRequest, sendRaw } from '../helpers/raw.ts'
import { addressOf, placeOf, validBody, validCall } from '../helpers/requests.ts'
import { mailSettings } from '../helpers/smtp.ts'
import { ORIGIN } from '../helpers/soft-passkey.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

const writes = (await readOperations()).filter((operation) => operation.method !== 'GET' && isForSessions(operation))
const withBody = writes.filter(({ body }) => body !== undefined)
const withoutBody = writes.filter(({ body, form }) => body === undefined && form === undefined)
const withForm = writes.filter(({ form }) => form !== undefined)
const others = writes.filter(({ form }) => form === undefined)

const LIMITS = { BODY_LIMIT_BYTES: '100000', IMPORT_BODY_LIMIT_BYTES: '100000' }
const watchdesk = useWatchdesk({ ...mailSettings(), PUBLIC_URL: ORIGIN, ...LIMITS })
const addresses = new Map<Operation, string>()
let port: number
/** Calls about the account may end the sessions of the first admin, which other calls need. */
let other: number

beforeAll(async () => {
  other = (await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })).id
  for (const write of writes) await makeAddress(write)
  port = Number(new URL(await watchdesk.app.listen({ host: '127.0.0.1', port: 0 })).port)
})

function callerOf({ access }: Operation) {
  return access === 'account' ? other : FIRST_ADMIN.id
}

async function makeAddress(operation: Operation) {
  addresses.set(operation, await addressOf(watchdesk, operation, placeOf(operation), 1, callerOf(operation)))
}

async function send(operation: Operation, headers: string[], body: Buffer | string) {
  const { token } = await openSession(watchdesk, callerOf(operation))
  const address = addresses.get(operation) ?? ''
  const all = [`Authorization: Bearer ${token}`, `Origin: ${ORIGIN}`, ...headers]
  return sendRaw(port, rawRequest({ method: operation.method, address, headers: all, body }))
}

const jsonOf = (operation: Operation) => JSON.stringify(validBody(operation) ?? {})
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

describe.each(others)('$name', (operation) => {
  test('accepts only JSON', async () => {
    const taken = []
    for (const [name, { headers, body }] of Object.entries(TRICKS)) {
      const response = await send(operation, headers, body?.(jsonOf(operation)) ?? jsonOf(operation))
      const isRefused = [400, 415].includes(response.status) && typeof detailOf(response) === 'string'
      if (!isRefused) taken.push({ name, status: response.status, body: response.body })
    }
    expect(taken).toEqual([])
  })
})

function detailOf({ body }: RawResponse): unknown {
  return JSON.parse(body).detail
}

const SPELLINGS = [
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
]

describe.each(withBody)('$name', (operation) => {
  test.each(SPELLINGS)('takes %s', async (value) => {
    // A record can be restored or removed only once.
    await makeAddress(operation)
    expect((await send(operation, [type(value)], jsonOf(operation))).status).toBe(operation.status)
  })

  test.each([
    ['that is cut off', 400, (json: string) => json.slice(0, -1)],
    ['that is followed by something', 400, (json: string) => `${json}x`],
    ['that is empty', 400, () => ''],
    ['that is too large', 413, (json: string) => `${json}${' '.repeat(100_000)}`],
    ['that is poisoned with __proto__', 400, (json: string) => poisoned(json, '"__proto__":{"polluted":true}')],
    [
      'that is poisoned with an escaped __proto__',
      400,
      (json: string) => poisoned(json, '"__pr\\u006fto__":{"polluted":true}'),
    ],
    [
      'that is poisoned with constructor.prototype',
      400,
      (json: string) => poisoned(json, '"constructor":{"prototype":{"polluted":true}}'),
    ],
    ['that is poisoned deep inside', 400, (json: string) => poisoned(json, '"x":[{"__proto__":{"polluted":true}}]')],
    ['with a constructor', 422, (json: string) => poisoned(json, '"constructor":true')],
    ['with a prototype', 422, (json: string) => poisoned(json, '"prototype":{"polluted":true}')],
    ['with a toString', 422, (json: string) => poisoned(json, '"toString":"x"')],
  ] as const)('refuses a body %s with %i', async (_, status, change) => {
    const response = await send(operation, [type('application/json')], change(jsonOf(operation)))
    expect(response.status).toBe(status)
    expect(detailOf(response)).toBeTruthy()
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe.each(withoutBody)('$name', (operation) => {
  test('works with a JSON content type and no body', async () => {
    await makeAddress(operation)
    expect([400, 415]).not.toContain((await send(operation, [type('application/json')], '')).status)
  })
})

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

describe.each(withForm)('$name', (operation) => {
  const [form] = validCall(operation) as [Buffer]

  test('accepts only a form', async () => {
    const taken = []
    for (const [name, headers] of Object.entries(OTHER_FORMS)) {
      const response = await send(operation, headers, form)
      const isRefused = response.status === 415 && typeof detailOf(response) === 'string'
      if (!isRefused) taken.push({ name, status: response.status, body: response.body })
    }
    expect(taken).toEqual([])
  })

  test.each([FORM_TYPE, `Multipart/Form-Data;boundary="${BOUNDARY}"`])('takes %s', async (value) => {
    expect((await send(operation, [type(value)], form)).status).toBe(operation.status)
  })

  test.each([
    ['that is cut off', form.subarray(0, -20)],
    ['with another border', Buffer.from(form.toString().replaceAll(BOUNDARY, 'other'))],
    ['that is empty', Buffer.alloc(0)],
    ['that is JSON', Buffer.from('{"file":"x"}')],
  ])('refuses a form %s', async (_, bytes) => {
    const response = await send(operation, [type(FORM_TYPE)], bytes)
    expect([400, 422]).toContain(response.status)
    expect(detailOf(response)).toBeTruthy()
  })
})

const HEAD = 'Host: watchdesk\r\nConnection: close\r\n'
const LOGIN = `POST /api/v1/login HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`

test.each([
  ['no HTTP at all', 'GARBAGE\r\n\r\n'],
  ['the start of TLS', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 13, 10, 13, 10])],
  ['a version that does not exist', `GET / HTTP/9.9\r\n${HEAD}\r\n`],
  ['a method that does not exist', `STEAL / HTTP/1.1\r\n${HEAD}\r\n`],
  ['no host', 'GET /api/v1/users/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a header without a colon', `GET / HTTP/1.1\r\n${HEAD}broken\r\n\r\n`],
  ['a space before the colon', `GET / HTTP/1.1\r\n${HEAD}X-Trick : 1\r\n\r\n`],
  ['a NUL in a header', `GET / HTTP/1.1\r\n${HEAD}X-Trick: a\0b\r\n\r\n`],
  ['a bare carriage return in a header', `GET / HTTP/1.1\r\n${HEAD}X-Trick: a\rb\r\n\r\n`],
  ['100 KB of headers', `GET / HTTP/1.1\r\n${HEAD}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`],
  ['a length and chunks', `${LOGIN}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['two lengths', `${LOGIN}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['a negative length', `${LOGIN}Content-Length: -1\r\n\r\n{}`],
  ['a length that is no number', `${LOGIN}Content-Length: 0x2\r\n\r\n{}`],
  ['a broken chunk', `${LOGIN}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  ['an unknown transfer coding', `${LOGIN}Transfer-Encoding: gzip\r\n\r\n{}`],
  ['a broken escape in the address', `GET /api/v1/users/%zz HTTP/1.1\r\n${HEAD}\r\n`],
  ['an escape that is not UTF-8', `GET /api/v1/users/%ff HTTP/1.1\r\n${HEAD}\r\n`],
  ['an endless id', `GET /api/v1/users/${'1'.repeat(5000)} HTTP/1.1\r\n${HEAD}\r\n`],
  ['a body of 1 TB announced', `${LOGIN}Content-Length: 1099511627776\r\n\r\n`],
])('a request with %s gets a 4xx with a detail', async (_, bytes) => {
  const response = await sendRaw(port, bytes)
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(response.status).toBeLessThan(500)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(detailOf(response)).toBeTruthy()
})

test('a request aborted in the middle of its body gets a 400 with a detail', async () => {
  const response = await sendRaw(port, `${LOGIN}Content-Length: 99\r\n\r\n{}`, { hangUp: true })
  expect(response.status).toBe(400)
  expect(detailOf(response)).toBeTruthy()
})

test('the server still responds after all that', async () => {
  const response = await sendRaw(port, `GET /health/ready HTTP/1.1\r\n${HEAD}\r\n`)
  expect(response).toMatchObject({ status: 200, body: '{"status":"ok"}' })
})
