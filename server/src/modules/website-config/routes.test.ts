import { PLATFORMS } from '@watchdesk/contract/enums'
import { errorText } from '@watchdesk/contract/errors'
import type { WebsiteConfig } from '@watchdesk/contract/website-config'
import { expect, test } from 'vitest'
import { startAnother, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const URL = '/api/v1/config/website_config'
const ADDRESS = 'https://docs.google.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit'
const SHEETS = PLATFORMS.map((platform) => `sources_sheet_${platform.toLowerCase()}`)

const get = () => watchdesk.admin<WebsiteConfig>('GET', URL)
const patch = (body: object, headers = {}) => watchdesk.admin<WebsiteConfig>('PATCH', URL, body, headers)

test('has the defaults of the catalog and an empty sheet for each of the nine platforms, all as strings', async () => {
  const { status, body, headers } = await get()
  expect([status, headers.etag]).toEqual([200, '"1"'])
  expect(body).toEqual({
    default_case_types: '["disinformation","impersonation","fraud"]',
    default_stories_vectors_model: 'lexical',
    ...Object.fromEntries(SHEETS.map((key) => [key, ''])),
  })
})

test('a saved value is returned, the others stay, and the version is incremented', async () => {
  const before = (await get()).body
  const change = { default_case_types: '["spam", "crisis"]', sources_sheet_telegram: ADDRESS }
  const saved = await patch(change)
  expect([saved.status, saved.body]).toEqual([200, { ...before, ...change }])
  const read = await get()
  expect([read.body, read.headers.etag]).toEqual([saved.body, saved.headers.etag])
  expect((await patch(change)).headers.etag).toBe(saved.headers.etag)
  expect((await patch({})).headers.etag).toBe(saved.headers.etag)
  expect((await patch(read.body)).body).toEqual(read.body)
})

test.each([
  [{ site_title: 'x' }, 'site_title is not a known field.'],
  [{ sources_sheet_web: null }, /^sources_sheet_web: Invalid/],
  [{ sources_sheet_web: 5 }, /^sources_sheet_web: Invalid/],
  [{ sources_sheet_web: 'our sheet' }, /^Enter the URL of a Google sheet/],
  [{ sources_sheet_web: 'https://docs.google.com/spreadsheets/d/1' }, /^Enter the URL of a Google sheet/],
  [{ default_case_types: 'fraud' }, /JSON list of different texts/],
  [{ default_case_types: '{}' }, /JSON list of different texts/],
  [{ default_case_types: '[1]' }, /JSON list of different texts/],
  [{ default_case_types: '["fraud","fraud"]' }, /JSON list of different texts/],
  [{ default_case_types: '["fraud","gossip"]' }, 'gossip is not a case type.'],
  [{ default_stories_vectors_model: 'oracle' }, 'oracle is not one of the stories vectors models.'],
])('%j is refused and changes nothing', async (body, message) => {
  const before = await get()
  const response = await patch(body)
  expect(response.status).toBe(422)
  expect(errorText(response.body)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  expect(response.body).toMatchObject({ detail: [{ loc: ['body', Object.keys(body)[0]] }] })
  expect((await get()).body).toEqual(before.body)
})

test('the name of a built-in object property is an unknown key too', async () => {
  const response = await watchdesk.app.inject({
    method: 'PATCH',
    url: URL,
    headers: { authorization: `Bearer ${watchdesk.admin.token}`, 'content-type': 'application/json' },
    payload: '{"constructor": "x"}',
  })
  expect(response.statusCode).toBeGreaterThanOrEqual(400)
  expect(response.statusCode).toBeLessThan(500)
})

test('a stale version is 412 with who changed it and when', async () => {
  const { etag } = (await get()).headers
  expect((await patch({ sources_sheet_vk: ADDRESS }, { 'if-match': String(etag) })).status).toBe(200)
  const stale = await patch({ sources_sheet_vk: '' }, { 'if-match': String(etag) })
  expect(stale.status).toBe(412)
  expect(errorText(stale.body)).toMatch(/^This website config was changed by Super Admin at \S+Z\.$/)
  expect((await get()).body.sources_sheet_vk).toBe(ADDRESS)
})

test('a saved value may stay after it left the catalog', async () => {
  const catalog = { ...watchdesk.deps.catalog, case_types: [], vectorization_models: {} }
  const shrunk = await startAnother(watchdesk, { catalog })
  const standing = (await get()).body
  const saved = await shrunk.admin('PATCH', URL, { ...standing, sources_sheet_ok: ADDRESS })
  expect(saved.status).toBe(200)
})

test.each([
  ADDRESS,
  '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
  '7',
  '/sheets/7',
  'https://desk.example.com/sheets/7',
  '',
])('the sheet of a platform may be %j', async (sheet) => {
  await watchdesk.database.pool.query(`insert into sheets (id, title, header, row_count, rows_id) overriding system value
    values (7, 'Sources', '{source_url}', 0, 7) on conflict do nothing`)
  expect((await patch({ sources_sheet_web: sheet })).body.sources_sheet_web).toBe(sheet)
})

test('a sheet in this console must exist, unless it was set before', async () => {
  const { pool } = watchdesk.database
  await pool.query(`insert into sheets (id, title, header, row_count, rows_id, deleted_at) overriding system value
    values (98, 'Deleted', '{source_url}', 0, 98, now())`)
  for (const id of [98, 9999]) {
    const refused = await patch({ sources_sheet_web: `/sheets/${id}` })
    expect([refused.status, errorText(refused.body)]).toEqual([422, `Sheet ${id} does not exist. Check its URL.`])
  }
  await pool.query(`update website_config set values = values || '{"sources_sheet_web": "/sheets/9999"}'`)
  expect((await patch({ ...(await get()).body, sources_sheet_ok: '' })).status).toBe(200)
})

test('a sheet that was stored before sheets were checked may stay, and other settings can be saved', async () => {
  const { database } = watchdesk
  await database.pool.query(`update website_config set values = values || '{"sources_sheet_web": "our sheet"}'`)
  const old = (await get()).body
  expect(old.sources_sheet_web).toBe('our sheet')
  const saved = await patch({ ...old, sources_sheet_ok: ADDRESS })
  expect([saved.status, saved.body]).toEqual([200, { ...old, sources_sheet_ok: ADDRESS }])
  expect((await patch({ sources_sheet_web: 'other sheet' })).status).toBe(422)
})

test('concurrent edits of different fields all take effect', async () => {
  const values = Object.fromEntries(SHEETS.map((key) => [key, `${ADDRESS}?${key}`]))
  const responses = await Promise.all(Object.entries(values).map(([key, value]) => patch({ [key]: value })))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await get()).body).toMatchObject(values)
})
