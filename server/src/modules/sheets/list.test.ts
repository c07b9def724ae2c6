import { errorText } from '@watchdesk/contract/errors'
import type { Page } from '@watchdesk/contract/page'
import type { ListedSheet, Sheet } from '@watchdesk/contract/sheets'
import type { SourcesExportResult, SourcesImportResult } from '@watchdesk/contract/source-management'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { FORM_TYPE, multipart } from '../../../test/helpers/form.ts'
import { afterWaiting } from '../../../test/helpers/locks.ts'
import { FIRST_ADMIN } from '../../../test/helpers/people.ts'
import { storeSheet } from '../../../test/helpers/sheet.ts'
import { startAnother, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk({ PUBLIC_URL: 'https://desk.example.com/' })
const URL = '/api/v1/sheets/'
const FILE = [
  multipart([{ name: 'file', filename: 'a.csv', content: 'a\n1\n' }]),
  { 'content-type': FORM_TYPE },
] as const

beforeEach(async () => {
  await sql`delete from sheets`.execute(watchdesk.database.db)
  await setConfig({})
})

async function setConfig(values: Record<string, string>) {
  await sql`update website_config set values = ${JSON.stringify(values)}::jsonb`.execute(watchdesk.database.db)
}

async function list(query = '') {
  const { status, body } = await watchdesk.admin<Page<ListedSheet>>('GET', `${URL}?${query}`)
  expect(status).toBe(200)
  return body
}
const titles = ({ objects }: Page<ListedSheet>) => objects.map(({ title }) => title)

async function unchangedSince(id: number, interval: string) {
  await watchdesk.database.pool.query('update sheets set updated_at = now() - $1::interval where id = $2', [
    interval,
    id,
  ])
}

describe('the list', () => {
  test('has the size, owner and origin of each sheet, and the days that it is kept', async () => {
    const id = await storeSheet(watchdesk, {
      title: 'Mine',
      rows: [
        ['1', 'Їжак'],
        ['', 'x'],
      ],
      origin: 'source_import',
    })
    expect(await list()).toEqual({
      objects: [
        {
          id,
          title: 'Mine',
          origin: 'source_import',
          row_count: 2,
          bytes: 10,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\S+Z$/),
          updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\S+Z$/),
          created_by: { id: FIRST_ADMIN.id, name: 'Super Admin' },
          created_by_import: null,
          config_keys: [],
          days_left: 90,
          version: 1,
        },
      ],
      total: 1,
      size: 20,
    })
    await unchangedSince(id, '88 days 1 hour')
    expect((await list()).objects[0]?.days_left).toBe(2)
    await unchangedSince(id, '91 days')
    expect((await list()).objects[0]?.days_left).toBe(0)
  })

  test('is searched by title, sorted, and filtered by origin, newest first', async () => {
    for (const title of ['Beta 50%', 'alpha', 'Gamma']) await storeSheet(watchdesk, { title })
    await storeSheet(watchdesk, { title: 'Delta', origin: 'source_import' })
    expect(titles(await list())).toEqual(['Delta', 'Gamma', 'alpha', 'Beta 50%'])
    expect(titles(await list('sort=title'))).toEqual(['alpha', 'Beta 50%', 'Delta', 'Gamma'])
    expect(titles(await list('sort=-title&page_size=2&page=2'))).toEqual(['Beta 50%', 'alpha'])
    expect(titles(await list('search=A%20'))).toEqual(['Beta 50%'])
    expect(titles(await list('search=%25'))).toEqual(['Beta 50%'])
    expect(titles(await list('origin=source_import'))).toEqual(['Delta'])
    expect(await list('origin=source_management&page_size=1')).toMatchObject({ total: 3, size: 1 })
  })

  test.each(['7', '/sheets/7', ' https://desk.example.com/sheets/007/ '])(
    'has the settings of the website config that name a sheet: %j',
    async (reference) => {
      const id = await storeSheet(watchdesk)
      const written = reference.replace('7', String(id))
      await setConfig({ sources_sheet_vk: written, sources_sheet_telegram: written, sources_sheet_web: `${id}0` })
      await unchangedSince(id, '100 days')
      expect((await list()).objects[0]).toMatchObject({
        config_keys: ['sources_sheet_telegram', 'sources_sheet_vk'],
        days_left: null,
      })
    },
  )

  test.each(['/sheets/', 'https://old.example.com/sheets/'])(
    'has the import whose sheet has the address %s…',
    async (address) => {
      const [id, other] = [await storeSheet(watchdesk), await storeSheet(watchdesk)]
      const { rows } = await sql<{ id: number }>`insert into operations (kind, state, name, created_sheet_url)
        values ('source_import', 'done', 'sources.csv', ${address + id}) returning id`.execute(watchdesk.database.db)
      await watchdesk.admin('PUT', `${URL}${id}/file`, ...FILE)
      const { objects } = await list()
      expect(objects.map(({ id, created_by_import }) => [id, created_by_import])).toEqual([
        [other, null],
        [id, { id: rows[0]?.id, kind: 'source_import', name: 'sources.csv' }],
      ])
    },
  )

  test('says that sheets are kept if the setting is 0', async () => {
    await storeSheet(watchdesk)
    const { admin } = await startAnother(watchdesk, { env: { SHEETS_KEEP_DAYS: 0 } })
    const { body } = await admin<Page<ListedSheet>>('GET', URL)
    expect(body.objects[0]?.days_left).toBeNull()
  })

  test('counts the size again when the sheet is replaced', async () => {
    const id = await storeSheet(watchdesk, { rows: [['1', '2']] })
    await watchdesk.admin('PUT', `${URL}${id}/file`, ...FILE)
    expect((await list()).objects[0]).toMatchObject({ bytes: 1, row_count: 1, version: 2 })
  })
})

describe('a sheet', () => {
  test('is renamed, with an event, unless it changed meanwhile', async () => {
    const id = await storeSheet(watchdesk, { title: 'Before' })
    const rename = (title: string, headers = {}) => watchdesk.admin<Sheet>('PATCH', `${URL}${id}`, { title }, headers)
    const renamed = await rename(' After ', { 'if-match': '"1"' })
    expect([renamed.status, renamed.headers.etag, renamed.body.title]).toEqual([200, '"2"', 'After'])
    expect((await rename('After')).body.version).toBe(2)
    const stale = await rename('Later', { 'if-match': '"1"' })
    expect([stale.status, errorText(stale.body)]).toEqual([
      412,
      expect.stringMatching(/^This sheet was changed by Super Admin at \S+Z\.$/),
    ])
    expect(errorText((await rename('  ')).body)).toBe('Title is required!')
    const { body } = await watchdesk.admin('GET', `/api/v1/audit/?entity=sheet&entity_id=${id}`)
    expect(body.objects).toMatchObject([
      { action: 'update', version: 2, changes: { title: { before: 'Before', after: 'After' } } },
    ])
  })

  test('is deleted and restored with its rows; meanwhile it cannot be read, changed or downloaded', async () => {
    const id = await storeSheet(watchdesk, { title: 'Gone', rows: [['1', '2']] })
    expect((await watchdesk.admin('DELETE', `${URL}${id}`, undefined, { 'if-match': '"7"' })).status).toBe(412)
    expect((await watchdesk.admin('DELETE', `${URL}${id}`, undefined, { 'if-match': '"1"' })).status).toBe(204)
    expect((await list()).total).toBe(0)
    const calls = [
      ['GET', ''],
      ['GET', '/rows'],
      ['GET', '/file?format=csv'],
      ['PUT', '/file', ...FILE],
      ['PATCH', '', { title: 'x' }],
      ['DELETE', ''],
    ] as const
    for (const [method, path, ...rest] of calls) {
      const response = await watchdesk.admin(method, `${URL}${id}${path}`, ...rest)
      expect([method, path, response.status, errorText(response.body)]).toEqual([method, path, 404, 'Sheet not found.'])
    }
    const restored = await watchdesk.admin<Sheet>('POST', `${URL}${id}/restore`)
    expect([restored.status, restored.body]).toMatchObject([200, { title: 'Gone', row_count: 1, version: 3 }])
    expect((await watchdesk.admin('GET', `${URL}${id}/rows`)).body).toMatchObject({ rows: [{ cells: ['1', '2'] }] })
    expect((await watchdesk.admin('POST', `${URL}${id}/restore`)).status).toBe(404)
    const { body } = await watchdesk.admin('GET', `/api/v1/audit/?entity=sheet&entity_id=${id}`)
    expect(body.objects).toMatchObject([{ action: 'restore' }, { action: 'delete' }])
  })

  test('that the website config names cannot be deleted until another one is set', async () => {
    const { body } = await watchdesk.admin<SourcesExportResult>('POST', '/api/v1/source_management/export', {
      platform: 'VK',
      type: 'export',
    })
    const address = URL + body.created_sheet_url?.split('/').at(-1)
    const refused = await watchdesk.admin('DELETE', address)
    expect([refused.status, errorText(refused.body)]).toEqual([
      409,
      'The website config uses this sheet as sources_sheet_vk. Set another sheet there, then delete this one.',
    ])
    await watchdesk.admin('PATCH', '/api/v1/config/website_config', { sources_sheet_vk: '' })
    expect((await watchdesk.admin('DELETE', address)).status).toBe(204)
  })

  test('that is set in the website config at the same moment is not deleted', async () => {
    const id = await storeSheet(watchdesk)
    const setting = `update website_config set values = values || '{"sources_sheet_ok": "${id}"}'`
    const remove = () => watchdesk.admin('DELETE', `${URL}${id}`)
    expect(await afterWaiting(watchdesk.database.pool, setting, remove)).toMatchObject([{ status: 409 }])
  })

  test('that was deleted cannot be imported, and the message says so', async () => {
    const id = await storeSheet(watchdesk, { title: 'Old sources' })
    await watchdesk.admin('DELETE', `${URL}${id}`)
    await setConfig({ sources_sheet_tiktok: `/sheets/${id}` })
    const body = { platform: 'TIKTOK', type: 'import' }
    const imported = await watchdesk.admin<SourcesImportResult>('POST', '/api/v1/source_management/import', body)
    expect(imported.body.error_message).toBe(
      'The sheet “Old sources” is deleted. Restore it from the bin, or use another sheet.',
    )
  })
})

test('deleted sheets are in the bin, with their rows and who deleted them, and can be restored or removed', async () => {
  const [kept, gone] = [await storeSheet(watchdesk, { title: 'Kept', rows: [['', '']] }), await storeSheet(watchdesk)]
  for (const id of [kept, gone]) await watchdesk.admin('DELETE', `${URL}${id}`)
  const bin = async (query: string) => (await watchdesk.admin('GET', `/api/v1/bin/?kind=sheet&${query}`)).body
  expect(await bin('search=KEPT')).toMatchObject({
    objects: [
      {
        kind: 'sheet',
        id: kept,
        name: 'Kept',
        detail: '1 row',
        deleted_by: { id: FIRST_ADMIN.id },
        days_left: 30,
        problem: null,
      },
    ],
    total: 1,
  })
  const restored = await watchdesk.admin('POST', '/api/v1/bin/restore', {
    records: [
      { kind: 'sheet', id: kept },
      { kind: 'sheet', id: 2_147_483_647 },
    ],
  })
  expect(restored.body).toMatchObject({ outcomes: [{ problem: null }, { problem: 'Deleted sheet not found.' }] })
  const remove = (name: string) => watchdesk.admin('POST', '/api/v1/bin/remove', { kind: 'sheet', id: gone, name })
  expect(errorText((await remove('Other')).body)).toBe('Type the name exactly: A sheet')
  expect((await remove('A sheet')).status).toBe(204)
  expect((await bin('')).total).toBe(0)
  expect(titles(await list())).toEqual(['Kept'])
})
