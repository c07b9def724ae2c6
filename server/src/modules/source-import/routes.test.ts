import { errorText } from '@watchdesk/contract/errors'
import type { Sheet, SheetRows } from '@watchdesk/contract/sheets'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { ADMIN, caller, useWatchdesk } from '../../testing/watchdesk.ts'

const watchdesk = useWatchdesk({ IMPORT_BODY_LIMIT_BYTES: '200000' })

const URL = '/api/v1/source_import/sources'

const send = (body: object, headers = {}) =>
  watchdesk.admin<SourceImportResult>('POST', URL, { email: ADMIN.email, sheet_url: null, ...body }, headers)
const importRecords = async (sheet_records: object[], headers = {}) => (await send({ sheet_records }, headers)).body

const stored = () =>
  watchdesk.database.db.selectFrom('sources').select(['platform', 'url', 'country']).orderBy('id').execute()
const sheetCount = async () => (await watchdesk.database.db.selectFrom('sheets').select('id').execute()).length

async function sheetRows(result: SourceImportResult) {
  const { body } = await watchdesk.admin<SheetRows>('GET', `/api/v1${result.created_sheet_url}/rows`)
  return body.rows.map(({ cells }) => cells)
}

let serial = 0
function fresh(name = 'channel') {
  serial += 1
  return `https://t.me/${name}${serial}`
}

test('every row gets its outcome, those requested are stored, and the sheet tells of all', async () => {
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
  ])
  expect(result).toEqual({
    error_message: null,
    requested_count: 2,
    inputs_count: 8,
    created_sheet_url: expect.stringMatching(/^\/sheets\/\d+$/),
    outcomes: {
      requested: 2,
      'already monitored': 1,
      'repeated in the file': 1,
      'unsupported platform': 1,
      'invalid URL': 2,
      'unknown country': 1,
    },
  })
  expect((await stored()).slice(before.length)).toEqual([
    { platform: 'FACEBOOK', url: 'https://facebook.com/profile.php?id=42', country: 'PL' },
    { platform: 'TELEGRAM', url: 'https://t.me/New_One', country: 'UA' },
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
  ])
  const sheet = await watchdesk.admin<Sheet>('GET', `/api/v1${result.created_sheet_url}`)
  expect(sheet.body).toMatchObject({
    title: expect.stringMatching(/^Source import of Super Admin, \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
    header: ['row', 'source_url', 'source_country', 'platform', 'outcome'],
    row_count: 8,
    outcomes: result.outcomes,
    created_by: { name: 'Super Admin' },
  })
})
