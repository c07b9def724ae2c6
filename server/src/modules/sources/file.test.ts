import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditPage } from '@watchdesk/contract/activity'
import type { SheetRows } from '@watchdesk/contract/sheets'
import { beforeAll, expect, test } from 'vitest'
import { insertSource } from '../../../test/helpers/sources.ts'
import { pathOf, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { rowsOf } from '../../adapters/tables/rows.ts'

const watchdesk = useWatchdesk()
const HEADER = 'source_url,source_country,platform,added_at,added_by,import'

beforeAll(async () => {
  const { rows } = await watchdesk.database.pool.query(
    `insert into operations (kind, state, name) values ('source_import', 'done', '=cmd|x') returning id`,
  )
  const created_at = '2026-10-01T10:20:30.5Z'
  const import_id = rows[0].id
  await insertSource(watchdesk, { url: 'https://t.me/one', country: 'UA', created_at, import_id })
  await insertSource(watchdesk, { platform: 'WEB', url: 'https://example.com/a,b', created_at })
  await insertSource(watchdesk, { url: 'https://t.me/gone', deleted_at: created_at })
  await watchdesk.database.pool.query(`update sources set created_by = 1 where url = 'https://t.me/one'`)
})

const ONE = "https://t.me/one,UA,TELEGRAM,2026-10-01 10:20:30,Super Admin,'=cmd|x"
const WEB = '"https://example.com/a,b",,WEB,2026-10-01 10:20:30,,'

test.each<[query: string, lines: string[]]>([
  ['', [WEB, ONE]],
  ['&platform=TELEGRAM&search=@one', [ONE]],
  ['&country=none', [WEB]],
  ['&import_id=2000', []],
])('a CSV file has the sources of the list%s', async (query, lines) => {
  const { status, body, headers } = await watchdesk.admin<string>('GET', `/api/v1/sources/file?format=csv${query}`)
  expect(status).toBe(200)
  expect(headers['content-disposition']).toMatch(/^attachment; filename="sources-\d{4}-\d\d-\d\d\.csv";/)
  expect(body.replace('"\'=cmd|x"', "'=cmd|x")).toBe(`\ufeff${[HEADER, ...lines].join('\r\n')}\r\n`)
})

test('a download is recorded at most once a minute, with its filter', async () => {
  const url = '/api/v1/sources/file?format=csv&country=UA'
  await Promise.all(Array.from({ length: 5 }, () => watchdesk.admin('GET', url)))
  const { body } = await watchdesk.admin<AuditPage>('GET', '/api/v1/audit/?entity=sources&action=download')
  const recorded = body.objects.filter(({ changes }) => changes.country?.after === 'UA')
  // The minute may have ended in between.
  expect([1, 2]).toContain(recorded.length)
  expect(recorded[0]?.changes).toEqual({
    format: { before: null, after: 'csv' },
    country: { before: null, after: 'UA' },
  })
})

test('an XLSX file has the same rows', async () => {
  const { rawPayload } = await watchdesk.app.inject({
    url: '/api/v1/sources/file?format=xlsx',
    headers: { authorization: `Bearer ${watchdesk.admin.token}` },
  })
  const dir = await mkdtemp(join(tmpdir(), 'watchdesk-sources-'))
  const path = join(dir, 'sources.xlsx')
  await writeFile(path, rawPayload)
  const rows: string[][] = []
  for await (const batch of rowsOf(path, 'xlsx')) rows.push(...batch.map(({ cells }) => cells))
  await rm(dir, { recursive: true })
  expect(rows).toEqual([
    HEADER.split(','),
    ['https://example.com/a,b', '', 'WEB', '2026-10-01 10:20:30'],
    ['https://t.me/one', 'UA', 'TELEGRAM', '2026-10-01 10:20:30', 'Super Admin', "'=cmd|x"],
  ])
})

test('an export to a sheet is listed as an import', async () => {
  const { body } = await watchdesk.admin('POST', '/api/v1/sources/export', { country: 'UA' })
  expect(body).toEqual({
    created_sheet_url: expect.any(String),
    exported_count: 1,
    import_id: expect.any(Number),
  })
  const path = pathOf(String(body.created_sheet_url))
  const { body: rows } = await watchdesk.admin<SheetRows>('GET', `/api/v1${path}/rows`)
  expect(rows.rows.map(({ cells }) => cells)).toEqual([
    ['https://t.me/one', 'UA', 'TELEGRAM', '2026-10-01 10:20:30', 'Super Admin', '=cmd|x'],
  ])
  const made = await watchdesk.database.db
    .selectFrom('operations')
    .selectAll()
    .where('id', '=', Number(body.import_id))
    .executeTakeFirstOrThrow()
  expect(made).toMatchObject({
    kind: 'export',
    state: 'done',
    counts: { exported: 1 },
    details: { filter: { country: 'UA' } },
    created_sheet_url: path,
    finished_at: expect.any(Date),
  })
})
