import type { Platform } from '@watchdesk/contract/enums'
import { errorText } from '@watchdesk/contract/errors'
import type { Sheet, SheetRows } from '@watchdesk/contract/sheets'
import type { SourcesExportResult, SourcesImportResult } from '@watchdesk/contract/source-management'
import { sourcesSheetKey, type WebsiteConfig } from '@watchdesk/contract/website-config'
import { describe, expect, test } from 'vitest'
import { type Caller, startAnother, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { SheetError, type Sheets } from '../../adapters/sheets/sheets.ts'

const watchdesk = useWatchdesk({ PUBLIC_URL: 'https://desk.example.com/' })
const LOCAL = /^https:\/\/desk\.example\.com\/sheets\/\d+$/

const URL = '/api/v1/source_management'
const runImport = async (platform: Platform, call: Caller = watchdesk.admin) =>
  (await call<SourcesImportResult>('POST', `${URL}/import`, { platform, type: 'import' })).body
const runExport = async (platform: Platform, call: Caller = watchdesk.admin) =>
  (await call<SourcesExportResult>('POST', `${URL}/export`, { platform, type: 'export' })).body

const config = () => watchdesk.admin<WebsiteConfig>('GET', '/api/v1/config/website_config')
/** Not through the API: sheets stored before they were checked are read too. */
async function setSheet(platform: Platform, value: string) {
  const { pool } = watchdesk.database
  const change = JSON.stringify({ [sourcesSheetKey(platform)]: value })
  await pool.query('update website_config set values = values || $1::jsonb', [change])
}

const stored = (platform: Platform) =>
  watchdesk.database.db
    .selectFrom('sources')
    .select(['url', 'country'])
    .where('platform', '=', platform)
    .orderBy('url')
    .execute()

async function cellsOf(address: string | null) {
  const id = address?.split('/').at(-1)
  const sheet = await watchdesk.admin<Sheet>('GET', `/api/v1/sheets/${id}`)
  const { rows } = (await watchdesk.admin<SheetRows>('GET', `/api/v1/sheets/${id}/rows`)).body
  return { ...sheet.body, cells: rows.map(({ cells }) => cells) }
}

/** An external sheet. */
function sheetOf(header: string[], ...cells: string[][]): Pick<Sheets, 'read'> {
  const rows = cells.map((each, index) => ({ row: index + 2, cells: each }))
  return {
    async read(_reference, onRows) {
      await onRows(header, rows)
      return { id: 'abc', url: 'https://docs.google.com/abc', header }
    },
  }
}

async function withSheets<Result>(sheets: Partial<Sheets>, work: (call: Caller) => Promise<Result>) {
  return work((await startAnother(watchdesk, { sheets: { ...watchdesk.deps.sheets, ...sheets } })).admin)
}

const verified = (count: number) => ({
  import_id: expect.any(Number),
  verification: expect.objectContaining({ expected_count: count, stored_count: count, is_equal: true }),
})

const NO_COUNTS = { created_count: 0, updated_count: 0, unchanged_count: 0, skipped_count: 0, skipped_rows: [] }

describe('the import of a platform', () => {
  test('adds and updates the sources in its sheet, skips invalid rows, and deletes nothing', async () => {
    await setSheet('VK', 'abc')
    const first = sheetOf(['source_url', 'source_country'], ['vk.com/a', 'UA'], ['vk.com/b', ''], ['vk.com/gone', 'PL'])
    const place = { sheet_id: 'abc', sheet_url: 'https://docs.google.com/abc' }
    expect(await withSheets(first, (call) => runImport('VK', call))).toEqual({
      platform: 'VK',
      import_status: 'SUCCESS',
      error_message: null,
      ...place,
      ...NO_COUNTS,
      created_count: 3,
      ...verified(3),
    })
    const second = sheetOf(
      ['note', 'SOURCE_URL', 'Source_Country'],
      ['', 'https://vk.com/a', 'Ukraine'],
      ['', 'https://m.vk.com/b/', 'DE'],
      ['', 'https://vk.com/c'],
      ['', 'https://vk.com/c', 'FR'],
      ['', 'https://t.me/d'],
      ['only a note'],
      ['', 'https://vk.com/e', 'Atlantis'],
    )
    expect(await withSheets(second, (call) => runImport('VK', call))).toEqual({
      platform: 'VK',
      import_status: 'PARTIAL',
      error_message: null,
      ...place,
      created_count: 1,
      updated_count: 1,
      unchanged_count: 1,
      skipped_count: 4,
      skipped_rows: [
        { row: 5, reason: 'repeated in the sheet' },
        { row: 6, reason: 'URL of another platform' },
        { row: 7, reason: 'invalid URL' },
        { row: 8, reason: 'unknown country' },
      ],
      ...verified(2),
    })
    expect(await stored('VK')).toEqual([
      { url: 'https://vk.com/a', country: 'UA' },
      { url: 'https://vk.com/b', country: 'DE' },
      { url: 'https://vk.com/c', country: null },
      { url: 'https://vk.com/gone', country: 'PL' },
    ])
    const { body } = await watchdesk.admin('GET', '/api/v1/audit/?entity=sources')
    expect(body.objects?.[0]).toMatchObject({
      action: 'import',
      changes: {
        platform: { after: 'VK' },
        created_count: { after: 1 },
        updated_count: { after: 1 },
        skipped_count: { after: 4 },
      },
    })
  })

  test('clears a country if the sheet has the column, and keeps it otherwise', async () => {
    await setSheet('OK', 'abc')
    const run = (sheet: Pick<Sheets, 'read'>) => withSheets(sheet, (call) => runImport('OK', call))
    await run(sheetOf(['source_url', 'source_country'], ['ok.ru/a', 'UA']))
    expect(await run(sheetOf(['source_url'], ['ok.ru/a']))).toMatchObject({ unchanged_count: 1, updated_count: 0 })
    expect(await stored('OK')).toEqual([{ url: 'https://ok.ru/a', country: 'UA' }])
    expect(await run(sheetOf(['source_url', 'source_country'], ['ok.ru/a', '']))).toMatchObject({ updated_count: 1 })
    expect(await stored('OK')).toEqual([{ url: 'https://ok.ru/a', country: null }])
  })

  test('lists the first ten rows that it skips', async () => {
    await setSheet('WEB', 'abc')
    const bad = Array.from({ length: 12 }, () => ['not an address'])
    const result = await withSheets(sheetOf(['source_url'], ...bad, ['news.example.com']), (call) =>
      runImport('WEB', call),
    )
    expect(result).toMatchObject({ import_status: 'PARTIAL', created_count: 1, skipped_count: 12 })
    expect(result.skipped_rows.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(await stored('WEB')).toEqual([{ url: 'https://news.example.com', country: null }])
  })

  test('fails with what to do when no sheet is set', async () => {
    expect(await runImport('ADMIXER')).toEqual({
      platform: 'ADMIXER',
      import_status: 'FAILED',
      sheet_id: null,
      sheet_url: null,
      error_message:
        'No sheet is set for ADMIXER. Export its sources first, or set sources_sheet_admixer in the website config.',
      ...NO_COUNTS,
    })
  })

  test.each([
    ['999999', /^Sheet 999999 does not exist\./],
    ['/sheets/999999', /^Sheet 999999 does not exist\./],
    ['https://desk.example.com/sheets/999999', /^Sheet 999999 does not exist\./],
    ['https://elsewhere.example.com/sheets/1', /is not the complete URL of a sheet/],
    ['file:///etc/passwd', /is not the complete URL of a sheet/],
    ['../sheets/1', /is not the complete URL of a sheet/],
  ])('fails when the sheet is %s', async (reference, message) => {
    await setSheet('TIKTOK', reference)
    expect(await runImport('TIKTOK')).toMatchObject({
      import_status: 'FAILED',
      sheet_id: null,
      error_message: expect.stringMatching(message),
      ...NO_COUNTS,
    })
  })

  test.each([
    ['has no such column', sheetOf(['url'], ['x']), 'The sheet has no column source_url.'],
    ['has no rows', sheetOf(['source_url']), 'The sheet has no rows below its column names.'],
    [
      'has no row to take',
      sheetOf(['source_url'], ['x'], ['t.me/a']),
      'No row of the sheet could be imported. Row 2: invalid URL.',
    ],
  ])('fails when the sheet %s, and names the sheet', async (_, sheet, error_message) => {
    await setSheet('TIKTOK', 'abc')
    const result = await withSheets(sheet, (call) => runImport('TIKTOK', call))
    expect(result).toMatchObject({ import_status: 'FAILED', sheet_id: 'abc', error_message, created_count: 0 })
    expect(await stored('TIKTOK')).toEqual([])
  })

  test('twice concurrently from the same sheet imports every source once', async () => {
    await setSheet('ADMIXER', 'abc')
    const rows = Array.from({ length: 300 }, (_, n) => [`host${n}.example.com/x`, 'UA'])
    const results = await withSheets(sheetOf(['source_url', 'source_country'], ...rows), (call) =>
      Promise.all([1, 2, 3].map(() => runImport('ADMIXER', call))),
    )
    expect(results.map(({ import_status }) => import_status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect(results.reduce((sum, { created_count }) => sum + created_count, 0)).toBe(300)
    expect(await stored('ADMIXER')).toHaveLength(300)
  })
})

describe('the export of a platform', () => {
  test('without sources creates a sheet to fill in, and sets it in the config', async () => {
    const before = await config()
    const result = await runExport('YOUTUBE')
    expect(result).toEqual({
      platform: 'YOUTUBE',
      export_status: 'SUCCESS',
      created_sheet_url: expect.stringMatching(LOCAL),
      error_message: null,
      exported_count: 0,
      import_id: expect.any(Number),
    })
    const after = await config()
    expect(after.body).toEqual({ ...before.body, sources_sheet_youtube: result.created_sheet_url })
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect(await cellsOf(result.created_sheet_url)).toMatchObject({
      header: ['source_url', 'source_country', 'added_at'],
      row_count: 0,
      outcomes: null,
      cells: [],
    })
    expect(await runImport('YOUTUBE')).toMatchObject({
      import_status: 'FAILED',
      sheet_id: result.created_sheet_url?.split('/').at(-1),
      error_message: 'The sheet has no rows below its column names.',
    })
    const { body } = await watchdesk.admin('GET', '/api/v1/audit/')
    expect(body.objects?.[0]).toMatchObject({
      action: 'export',
      entity: 'sources',
      changes: { platform: { after: 'YOUTUBE' }, exported_count: { after: 0 } },
    })
    expect(body.objects?.[1]).toMatchObject({
      action: 'update',
      entity: 'website_config',
      changes: { sources_sheet_youtube: { before: '', after: result.created_sheet_url } },
    })
  })

  test('lists the sources by address, and importing the sheet again changes nothing', async () => {
    await watchdesk.database.db
      .insertInto('sources')
      .values([
        { platform: 'FACEBOOK', url: 'https://facebook.com/b', country: null, created_by: null, updated_by: null },
        { platform: 'FACEBOOK', url: 'https://facebook.com/a', country: 'UA', created_by: null, updated_by: null },
      ])
      .execute()
    const result = await runExport('FACEBOOK')
    expect(result.exported_count).toBe(2)
    const sheet = await cellsOf(result.created_sheet_url)
    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(sheet.title).toMatch(/^FACEBOOK sources, \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)
    expect(sheet.cells).toEqual([
      ['https://facebook.com/a', 'UA', day],
      ['https://facebook.com/b', '', day],
    ])
    expect(await runImport('FACEBOOK')).toMatchObject({ ...NO_COUNTS, import_status: 'SUCCESS', unchanged_count: 2 })
  })

  test('keeps a sheet that is already set in the config', async () => {
    await setSheet('TWITTER', 'mine')
    const before = await config()
    const result = await runExport('TWITTER')
    expect(result.export_status).toBe('SUCCESS')
    const after = await config()
    expect([after.body, after.headers.etag]).toEqual([before.body, before.headers.etag])
  })

  test('many concurrent exports all succeed, and one of their sheets is set in the config', async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => runExport('TELEGRAM')))
    const addresses = results.map(({ created_sheet_url }) => created_sheet_url)
    expect(new Set(addresses).size).toBe(6)
    expect(addresses).toContain((await config()).body.sources_sheet_telegram)
  })

  test.each([
    [new SheetError('The quota is used up.'), 200],
    [new Error('Broken'), 500],
  ])('that cannot make its sheet changes nothing (%s)', async (error, status) => {
    await setSheet('TIKTOK', '')
    const before = await config()
    const create = async () => Promise.reject(error)
    const response = await withSheets({ create }, (call) =>
      call('POST', `${URL}/export`, { platform: 'TIKTOK', type: 'export' }),
    )
    expect(response.status).toBe(status)
    if (status === 200)
      expect(response.body).toEqual({
        platform: 'TIKTOK',
        export_status: 'FAILED',
        created_sheet_url: null,
        error_message: 'The quota is used up.',
        exported_count: 0,
      })
    else expect(errorText(response.body)).toMatch(/^Something went wrong on the server/)
    const after = await config()
    expect([after.body, after.headers.etag]).toEqual([before.body, before.headers.etag])
  })
})

test.each([
  ['import', {}, 'Platform is required!'],
  ['import', { platform: 'MYSPACE', type: 'import' }, /Invalid/],
  ['import', { platform: 'VK', type: 'export' }, /Invalid/],
  ['export', { platform: 'VK', type: 'import' }, /Invalid/],
  ['export', { platform: 'VK' }, /Invalid/],
])('%s refuses %j', async (call, body, message) => {
  const response = await watchdesk.admin('POST', `${URL}/${call}`, body)
  expect(response.status).toBe(422)
  expect(errorText(response.body)).toMatch(message)
})
