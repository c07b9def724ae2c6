import { createServer } from 'node:http'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openGoogle, startGoogle } from '../../../test/helpers/google.ts'
import { newTab } from '../../../test/helpers/google-documents.ts'
import { listen } from '../../../test/helpers/loopback.ts'
import { isExportHost } from './google-settings.ts'

const google = await startGoogle()
let hits = 0
const other = createServer((_request, response) => {
  hits += 1
  response.writeHead(200, { 'content-type': 'text/csv' }).end('source_url\nstolen\n')
})
const { port } = new URL(await listen(other))
afterAll(async () => {
  other.close()
  await google.stop()
})
beforeEach(() => google.calm())

const anyone = new Set(['anyone'])
const read = (id: string, options = {}) => openGoogle(undefined, { ...google.settings, ...options }).read(id)

test('a link-shared sheet is read without an account, with the same rows as through one', async () => {
  const cells = [
    ['source_url', 'note', ''],
    ['https://t.me/one', 'two\r\nlines, "quoted"', true],
    [],
    ['https://t.me/two'],
  ]
  const { id } = google.add({ readers: anyone, tabs: [newTab(cells), newTab([['other']], { sheetId: 9 })] })
  expect(await read(id)).toEqual({
    id,
    url: `https://docs.google.com/spreadsheets/d/${id}/edit`,
    header: ['source_url', 'note'],
    rows: [
      { row: 2, cells: ['https://t.me/one', 'two\r\nlines, "quoted"', 'TRUE'] },
      { row: 4, cells: ['https://t.me/two'] },
    ],
  })
  expect(await read(`https://docs.google.com/spreadsheets/d/${id}/edit#gid=9`)).toMatchObject({ header: ['other'] })
  expect(google.lines()).not.toContain('POST /token')
})

test('a sheet of one column keeps its row numbers over blank lines', async () => {
  const tab = newTab([['source_url'], ['a'], [''], ['b']], { columnCount: 1 })
  const { id } = google.add({ readers: anyone, tabs: [tab] })
  expect((await read(id)).rows).toEqual([
    { row: 2, cells: ['a'] },
    { row: 4, cells: ['b'] },
  ])
})

describe('a sheet that is not shared', () => {
  const text = 'This sheet is not shared. Set its sharing to “Anyone with the link” and try again.'

  test('leads to the sign-in page, which is not visited', async () => {
    await expect(read(google.add({}).id)).rejects.toThrow(text)
  })

  test.each([
    { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } },
    { status: 401 },
    { status: 403 },
  ])('or Google responds with %j', async (fault) => {
    google.fail(/spreadsheets/, fault)
    await expect(read(google.add({ readers: anyone }).id)).rejects.toThrow(text)
  })
})

test.each([{ status: 404 }, { status: 400 }, { status: 410 }])('%j is a sheet that does not exist', async (fault) => {
  google.fail(/spreadsheets/, fault)
  await expect(read(google.add({ readers: anyone }).id)).rejects.toThrow('This sheet does not exist.')
})

describe('a redirect', () => {
  const away = 'Google Sheets redirected to an unknown site, so the download was stopped.'
  const LOCATIONS = [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `//127.0.0.1:${port}/`,
    `\\\\127.0.0.1:${port}\\`,
    `http://localhost:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f.1:${port}/`,
    `http://docs.google.com@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}/#.googleusercontent.com`,
    `http://127.0.0.1:${port}\\.googleusercontent.com/`,
    `https://docs.google.com:${port}/spreadsheets/`,
    `http://docs.google.com/spreadsheets/`,
    'https://evilgoogleusercontent.com/',
    'https://accounts.google.com.evil.com/',
    'file:///etc/passwd',
    'data:text/csv,source_url',
  ]

  test.each(LOCATIONS)('to %s is not followed', async (location) => {
    google.fail(/spreadsheets/, { status: 302, headers: { location } })
    const { id } = google.add({ readers: anyone })
    await expect(read(id, { isAllowedRedirect: isExportHost })).rejects.toThrow(away)
  })

  test('none of these reached the server on this machine', () => expect(hits).toBe(0))

  test('to nowhere, or round and round, ends', async () => {
    const { id } = google.add({ readers: anyone })
    google.fail(/spreadsheets/, { status: 302 }, 1)
    google.fail(/spreadsheets/, { status: 302, headers: { location: `/spreadsheets/d/${id}/export` } })
    await expect(read(id)).rejects.toThrow()
    google.state.requests.length = 0
    await expect(read(id)).rejects.toThrow('Google Sheets sent a response that cannot be read.')
    expect(google.lines().length).toBe(4)
  })
})
