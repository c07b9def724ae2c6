import { errorText } from '@watchdesk/contract/errors'
import type { Sheet, SheetRows } from '@watchdesk/contract/sheets'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { describe, expect, test } from 'vitest'
import { afterWaiting, expectTurns } from '../../../test/helpers/locks.ts'
import { ADMIN, type Caller, pathOf, startAnother, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { SheetError, type Sheets } from '../../adapters/sheets/sheets.ts'

const watchdesk = useWatchdesk({ IMPORT_BODY_LIMIT_BYTES: '200000' })

const URL = '/api/v1/source_import/sources'

const send = (body: object, headers = {}) =>
  watchdesk.admin<SourceImportResult>('POST', URL, { email: ADMIN.email, sheet_url: null, ...body }, headers)
const importRecords = async (sheet_records: object[], headers = {}) => (await send({ sheet_records }, headers)).body

const stored = () =>
  watchdesk.database.db.selectFrom('sources').select(['platform', 'url', 'country']).orderBy('id').execute()
const sheetCount = async () => (await watchdesk.database.db.selectFrom('sheets').select('id').execute()).length

async function sheetRows(result: SourceImportResult) {
  const { body } = await watchdesk.admin<SheetRows>('GET', `/api/v1${pathOf(result.created_sheet_url)}/rows`)
  return body.rows.map(({ cells }) => cells)
}

let serial = 0
function fresh(name = 'channel') {
  serial += 1
  return `https://t.me/${name}${serial}`
}

test('every row gets an outcome, requested sources are stored, and the sheet lists all rows', async () => {
  const known = fresh('known')
  await importRecords([{ source_url: known }])
  const before = await stored()
  const result = await importRecords([
    { source_url: 'HTTP://WWW.T.me/New_One/?x=1#y', source_country: 'Ukraine', note: 'kept by nobody' },
    { source_url: known, source_country: 'PL' },
    { source_url: 't.me/New_One' },
    { source_url: 'https://example.com/page' },
    { source_url: 'no address' },
    { source_country: 'UA' },
    { source_url: 'https://www.youtube.com/@Channel', source_country: 'Atlantis' },
    { source_url: 'https://m.facebook.com/profile.php?id=42&x=1', source_country: 'Польща' },
    { source_url: known },
  ])
  expect(result).toEqual({
    error_message: null,
    requested_count: 2,
    inputs_count: 9,
    created_sheet_url: expect.stringMatching(/^http:\/\/localhost\/sheets\/\d+$/),
    import_id: expect.any(Number),
    verification: expect.objectContaining({ expected_count: 2, stored_count: 2, is_equal: true }),
    outcomes: {
      requested: 2,
      'already monitored': 1,
      'repeated in the file': 2,
      'unsupported platform': 1,
      'invalid URL': 2,
      'unknown country': 1,
    },
  })
  expect((await stored()).slice(before.length)).toEqual([
    { platform: 'FACEBOOK', url: 'https://facebook.com/profile.php?id=42', country: 'PL' },
    { platform: 'TELEGRAM', url: 'https://t.me/new_one', country: 'UA' },
  ])
  expect(await sheetRows(result)).toEqual([
    ['2', 'HTTP://WWW.T.me/New_One/?x=1#y', 'Ukraine', 'TELEGRAM', 'requested'],
    ['3', known, 'PL', 'TELEGRAM', 'already monitored'],
    ['4', 't.me/New_One', '', 'TELEGRAM', 'repeated in the file'],
    ['5', 'https://example.com/page', '', '', 'unsupported platform'],
    ['6', 'no address', '', '', 'invalid URL'],
    ['7', '', 'UA', '', 'invalid URL'],
    ['8', 'https://www.youtube.com/@Channel', 'Atlantis', '', 'unknown country'],
    ['9', 'https://m.facebook.com/profile.php?id=42&x=1', 'Польща', 'FACEBOOK', 'requested'],
    ['10', known, '', 'TELEGRAM', 'repeated in the file'],
  ])
  const sheet = await watchdesk.admin<Sheet>('GET', `/api/v1${pathOf(result.created_sheet_url)}`)
  expect(sheet.body).toMatchObject({
    title: expect.stringMatching(/^Source import of Super Admin, \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
    header: ['row', 'source_url', 'source_country', 'platform', 'outcome'],
    row_count: 9,
    outcomes: result.outcomes,
    created_by: { name: 'Super Admin' },
  })
})

test('an import has the name and row numbers of the file that was described with its key, and nothing in its address', async () => {
  const describe = (rows: string) => {
    serial += 1
    const file = { key: `with-file-${serial}`, name: 'gaps.csv', bytes: 20, skipped_count: 7, rows }
    return watchdesk.admin('POST', '/api/v1/source_import/file', file)
  }
  const importAs = async (rows: string) => {
    expect((await describe(rows)).status).toBe(204)
    const headers = { 'idempotency-key': `with-file-${serial}` }
    const sheet_records = Array.from({ length: 4 }, () => ({ source_url: fresh() }))
    expect((await watchdesk.admin('POST', `${URL}?rows=2`, { sheet_records }, headers)).status).toBe(422)
    return send({ sheet_records }, headers)
  }
  const { body } = await importAs('3-4,6,100')
  expect((await sheetRows(body)).map(([row]) => row)).toEqual(['3', '4', '6', '100'])
  const found = await watchdesk.admin('GET', `/api/v1/imports/${body.import_id}`)
  expect(found.body).toMatchObject({ name: 'gaps.csv', bytes: 20, skipped_count: 7 })
  const before = await stored()
  for (const rows of ['2-4', '2-6', '2-5,7']) {
    const detail = 'The number of row numbers differs from the number of records.'
    expect(await importAs(rows)).toMatchObject({ status: 422, body: { detail } })
  }
  for (const rows of ['', '5-2', '2,2', 'x', '2-5,'.repeat(60_000)]) expect((await describe(rows)).status).toBe(422)
  expect(await stored()).toEqual(before)
})

test('columns are matched case-insensitively, and numbers are valid cells', async () => {
  const url = fresh()
  const result = await importRecords([
    { ' Source_URL ': url, SOURCE_COUNTRY: 'ukr', constructor: 'x', toString: 5 },
    { ' Source_URL ': 5 },
  ])
  expect(result.outcomes).toEqual({ requested: 1, 'invalid URL': 1 })
  expect((await stored()).at(-1)).toEqual({ platform: 'TELEGRAM', url, country: 'UA' })
})

test('characters that PostgreSQL cannot store, and separators, are removed from the sheet', async () => {
  const result = await importRecords([
    { source_url: 'a\0b\u001fc\u001ed\ud800e\tf\r\ng', source_country: "'\\{}," },
    { source_country: '' },
  ])
  expect(await sheetRows(result)).toEqual([
    ['2', 'abcde\tf\r\ng', "'\\{},", '', 'invalid URL'],
    ['3', '', '', '', 'invalid URL'],
  ])
})

test('an import creates an audit event with its counts', async () => {
  const result = await importRecords([{ source_url: fresh() }, { source_url: 'x' }])
  const { body } = await watchdesk.admin('GET', '/api/v1/audit/?entity=sources')
  const count = (after: number) => ({ before: null, after })
  expect(body.objects?.[0]).toMatchObject({
    action: 'import',
    actor: { name: 'Super Admin' },
    changes: {
      inputs_count: count(2),
      requested: count(1),
      'invalid URL': count(1),
      created_sheet_url: { after: pathOf(result.created_sheet_url) },
    },
  })
})

test('the email must be the caller’s, ignoring case', async () => {
  const sheet_records = [{ source_url: fresh() }]
  expect((await send({ email: ADMIN.email.toUpperCase(), sheet_records })).status).toBe(200)
  const before = await stored()
  const other = await send({ email: 'somebody@example.com', sheet_records: [{ source_url: fresh() }] })
  expect([other.status, errorText(other.body)]).toEqual([403, 'The email of an import must be your own.'])
  expect(await stored()).toEqual(before)
})

describe('nothing is written, and an error_message says why,', () => {
  const NOTHING = { requested_count: 0, created_sheet_url: null }

  test.each([
    ['for no rows', [], 'The file has no rows below its column names.'],
    ['without the column', [{ url: 'https://t.me/x' }, {}], 'The file has no column source_url.'],
    ['when every row is blank', [{}, {}], 'The file has no column source_url.'],
  ])('%s', async (_, sheet_records, error_message) => {
    const before = [await stored(), await sheetCount()]
    const response = await send({ sheet_records })
    expect([response.status, response.body]).toEqual([200, expect.objectContaining({ ...NOTHING, error_message })])
    expect([await stored(), await sheetCount()]).toEqual(before)
  })

  test('when the result sheet cannot be created, and the same key can be used again', async () => {
    const before = [await stored(), await sheetCount()]
    const body = { email: ADMIN.email, sheet_url: null, sheet_records: [{ source_url: fresh() }] }
    const key = { 'idempotency-key': 'no-sheet-at-first' }
    for (const [error, status] of [
      [new SheetError('The quota is used up.'), 200],
      [new Error('Broken'), 500],
    ] as const) {
      const create = async () => Promise.reject(error)
      const response = await withSheets({ create }, (call) => call<SourceImportResult>('POST', URL, body, key))
      expect(response.status).toBe(status)
      if (status === 200) expect(response.body).toMatchObject({ ...NOTHING, error_message: 'The quota is used up.' })
      expect([await stored(), await sheetCount()]).toEqual(before)
    }
    expect((await watchdesk.admin<SourceImportResult>('POST', URL, body, key)).body.requested_count).toBe(1)
  })
})

async function withSheets<Result>(sheets: Partial<Sheets>, work: (call: Caller) => Promise<Result>) {
  return work((await startAnother(watchdesk, { sheets: { ...watchdesk.deps.sheets, ...sheets } })).admin)
}

describe('a spreadsheet by its address', () => {
  const sheet_url = 'https://docs.google.com/spreadsheets/d/abc/edit#gid=0'
  const body = { email: ADMIN.email, sheet_url, sheet_records: null }

  test('is imported with its row numbers, whatever the case of its columns', async () => {
    const url = fresh()
    const asked: string[] = []
    const read: Sheets['read'] = async (reference, onRows) => {
      asked.push(reference)
      const header = ['__proto__', 'constructor', '', 'SOURCE_URL', 'source_country', 'source_url']
      const rows = [
        { row: 2, cells: ['', '', '', url, 'Україна', 'https://t.me/other'] },
        { row: 7, cells: ['', '', '', ` ${url} `] },
        { row: 9, cells: ['short'] },
      ]
      await onRows(header, rows)
      return { id: 'abc', url: sheet_url, header }
    }
    const { body: result } = await withSheets({ read }, (call) => call<SourceImportResult>('POST', URL, body))
    expect(asked).toEqual([sheet_url])
    expect(await sheetRows(result)).toEqual([
      ['2', url, 'Україна', 'TELEGRAM', 'requested'],
      ['7', url, '', 'TELEGRAM', 'repeated in the file'],
      ['9', '', '', '', 'invalid URL'],
    ])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test.each([
    [
      'cannot be read',
      async () => Promise.reject(new SheetError('Share the sheet with robot@example.com.')),
      'Share the sheet with robot@example.com.',
    ],
    [
      'has no such column',
      async () => ({ id: 'abc', url: sheet_url, header: ['url'] }),
      'The sheet has no column source_url.',
    ],
    [
      'has no rows',
      async () => ({ id: 'abc', url: sheet_url, header: ['source_url'] }),
      'The sheet has no rows below its column names.',
    ],
  ])('that %s is an error_message', async (_, read, error_message) => {
    const response = await withSheets({ read }, (call) => call<SourceImportResult>('POST', URL, body))
    expect([response.status, response.body]).toMatchObject([
      200,
      { error_message, requested_count: 0, created_sheet_url: null },
    ])
  })

  test('that was imported under a key is not read again for the same key', async () => {
    const key = { 'idempotency-key': 'read-only-once' }
    let reads = 0
    const read: Sheets['read'] = async (_reference, onRows) => {
      reads += 1
      const header = ['source_url']
      await onRows(header, [{ row: 2, cells: [fresh()] }])
      return { id: 'abc', url: sheet_url, header }
    }
    const [first, second] = await withSheets({ read }, async (call) => [
      await call('POST', URL, body, key),
      await call('POST', URL, body, key),
    ])
    expect(second.body).toEqual(first.body)
    expect(reads).toBe(1)
  })

  test.each([
    'http://docs.google.com/spreadsheets/d/abc',
    'https://docs.google.com.evil.example/spreadsheets/d/abc',
    'https://docs.google.com@evil.example/spreadsheets/d/abc',
    'https://user@docs.google.com/spreadsheets/d/abc',
    'https://docs.google.com:8443/spreadsheets/d/abc',
    'https://docs.google.com/spreadsheets/../document/d/abc',
    'https://docs.google.com/spreadsheets/%2e%2e/document/d/abc',
    'https://127.0.0.1/spreadsheets/d/abc',
    'https://docs.google.com/document/d/abc',
    'file:///etc/passwd',
    '/sheets/1',
    '1',
    '',
  ])('%s is refused', async (address) => {
    const response = await send({ sheet_url: address, sheet_records: null })
    expect([response.status, errorText(response.body)]).toEqual([
      422,
      'URL must start with https://docs.google.com/spreadsheets/',
    ])
  })

  test('together with rows is rejected, and so is neither', async () => {
    for (const given of [
      { sheet_url, sheet_records: [] },
      { sheet_url: null, sheet_records: null },
    ]) {
      const response = await send(given)
      expect([response.status, errorText(response.body)]).toEqual([422, 'Please enter URL or upload CSV file.'])
    }
  })
})

describe('sent again', () => {
  test('without a key, the same rows are already monitored', async () => {
    const sheet_records = [{ source_url: fresh() }, { source_url: fresh() }]
    expect((await importRecords(sheet_records)).requested_count).toBe(2)
    expect((await importRecords(sheet_records)).outcomes).toEqual({ 'already monitored': 2 })
  })

  test('with the same key, also concurrently, it runs once and returns the same response', async () => {
    const sheet_records = [{ source_url: fresh() }]
    const before = await sheetCount()
    const key = { 'idempotency-key': 'one-effect-only' }
    const responses = await Promise.all(Array.from({ length: 5 }, () => importRecords(sheet_records, key)))
    responses.push(await importRecords(sheet_records, key))
    expect(responses[0]?.requested_count).toBe(1)
    for (const response of responses) expect(response).toEqual(responses[0])
    expect(await sheetCount()).toBe(before + 1)
  })

  test('a key of another request is rejected', async () => {
    const key = { 'idempotency-key': 'for-one-request' }
    await importRecords([{ source_url: fresh() }], key)
    const other = await send({ sheet_records: [{ source_url: fresh() }] }, key)
    expect([other.status, errorText(other.body)]).toEqual([
      422,
      'This Idempotency-Key was already used for another request.',
    ])
  })
})

test('many concurrent imports of the same rows store every source once, and all succeed', async () => {
  const urls = Array.from({ length: 3000 }, () => fresh('x'))
  const records = urls.map((source_url) => ({ source_url }))
  const orders = [
    records,
    records.toReversed(),
    records.slice(1500),
    records.slice(0, 2000),
    records,
    records.toReversed(),
  ]
  const responses = await Promise.all(orders.map((sheet_records) => send({ sheet_records })))
  expect(responses.map(({ status }) => status)).toEqual(orders.map(() => 200))
  expect(responses.reduce((sum, { body }) => sum + body.requested_count, 0)).toBe(3000)
  const { rows } = await watchdesk.database.pool.query('select count(*) from sources where url = any($1)', [urls])
  expect(rows[0].count).toBe(3000)
})

test('a source that another import adds meanwhile is already monitored', async () => {
  const [taken, free] = [fresh('taken'), fresh('free')]
  const adding = `insert into sources (platform, url) values ('TELEGRAM', '${taken}')`
  const [result] = await afterWaiting(watchdesk.database.pool, adding, () =>
    importRecords([{ source_url: free }, { source_url: taken }, { source_url: taken }]),
  )
  const outcomes = { requested: 1, 'already monitored': 1, 'repeated in the file': 1 }
  expect(result).toMatchObject({ requested_count: 1, inputs_count: 3, outcomes })
})

test('with many concurrent imports, other calls get a response, and imports beyond the limit are rejected', async () => {
  await expectTurns(watchdesk, 'lock table sources in share row exclusive mode', 200, () =>
    send({ sheet_records: [{ source_url: fresh('turn') }] }),
  )
})

test('a body that is too large is 413 with the limit in its detail', async () => {
  const response = await send({ sheet_records: [{ source_url: 'x'.repeat(200_000) }] })
  expect([response.status, errorText(response.body)]).toEqual([
    413,
    'The body is larger than the limit of 200,000 bytes.',
  ])
})

test('a column called __proto__ is rejected as invalid JSON, and changes no prototype', async () => {
  const json = `{"email":"${ADMIN.email}","sheet_url":null,"sheet_records":[{"source_url":"t.me/a","__proto__":{"polluted":true}}]}`
  const response = await watchdesk.admin('POST', URL, json, { 'content-type': 'application/json' })
  expect(response.status).toBe(400)
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

test('without a service account, none is returned', async () => {
  expect(await watchdesk.admin('GET', '/api/v1/source_import/service_account')).toMatchObject({
    status: 200,
    body: { email: null },
  })
})
