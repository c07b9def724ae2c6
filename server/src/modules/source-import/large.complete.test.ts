import type { SheetRows } from '@watchdesk/contract/sheets'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { expect, test } from 'vitest'
import { ADMIN, pathOf, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk({}, { isListening: true })
const ROWS = 100_000

test('100,000 records are imported in one request while other calls get a response', async () => {
  const sheet_records = Array.from({ length: ROWS }, (_, n) => ({
    source_url: n % 10 === 9 ? 'nowhere' : `https://t.me/channel_${n}`,
    source_country: 'Ukraine',
    note: `row ${n}`,
  }))
  const imported = watchdesk.admin<SourceImportResult>(
    'POST',
    '/api/v1/source_import/sources',
    { email: ADMIN.email, sheet_url: null, sheet_records },
    { 'idempotency-key': 'a-hundred-thousand' },
  )
  let isDone = false
  let others = 0
  const done = imported.finally(() => {
    isDone = true
  })
  while (!isDone) {
    expect((await fetch(`${watchdesk.url}/health/live`)).status).toBe(200)
    others += 1
  }
  const { status, body } = await done
  expect([status, body]).toMatchObject([200, { requested_count: 90_000, inputs_count: ROWS }])
  expect(others).toBeGreaterThan(10)

  const last = await watchdesk.admin<SheetRows>('GET', `/api/v1${pathOf(body.created_sheet_url)}/rows?offset=99990`)
  expect(last.body).toMatchObject({ total: ROWS })
  expect(last.body.rows).toHaveLength(10)
  expect(last.body.rows.at(-1)).toEqual({
    number: ROWS,
    cells: [String(ROWS + 1), 'nowhere', 'Ukraine', '', 'invalid URL'],
  })
  const invalid = `/api/v1${pathOf(body.created_sheet_url)}/rows?outcome=invalid%20URL`
  const filtered = await watchdesk.admin<SheetRows>('GET', `${invalid}&offset=9998&limit=5`)
  expect(filtered.body).toMatchObject({ total: 10_000, rows: [{ number: ROWS - 10 }, { number: ROWS }] })
})

test('records with too many columns are rejected with a reason', async () => {
  const record = Object.fromEntries(Array.from({ length: 250_000 }, (_, n) => [`c${n}`, '']))
  const { status, body } = await watchdesk.admin('POST', '/api/v1/source_import/sources', {
    email: ADMIN.email,
    sheet_url: null,
    sheet_records: [record, record, record],
  })
  const detail = 'A row has more than 16,384 columns. Remove the columns that you do not need.'
  expect([status, body]).toEqual([422, { detail }])
})
