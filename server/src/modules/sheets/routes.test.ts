import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { errorText } from '@watchdesk/contract/errors'
import type { Sheet, SheetRows } from '@watchdesk/contract/sheets'
import { expect, test } from 'vitest'
import { FORM_TYPE, multipart } from '../../../test/helpers/form.ts'
import { FIRST_ADMIN } from '../../../test/helpers/people.ts'
import { type GivenSheet, newSheet } from '../../../test/helpers/sheet.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import type { Actor } from '../../actor.ts'

const watchdesk = useWatchdesk({}, { isListening: true })
const FORM = [{ name: 'file', filename: 'new.csv', content: 'a\nnew\n' }]
const ACTOR = { id: FIRST_ADMIN.id, name: 'Super Admin' } as Actor

async function makeSheet(sheet: GivenSheet = {}) {
  const { db, sheets } = watchdesk.deps
  const { id } = await db.transaction().execute((trx) => sheets.create(trx, ACTOR, newSheet(sheet)))
  return `/api/v1/sheets/${id}`
}

const OUTCOMES = ['good', 'bad', 'good', 'odd']
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => [String(n + 1), OUTCOMES[n % OUTCOMES.length] ?? ''])

async function rows(address: string, query = '') {
  return (await watchdesk.admin<SheetRows>('GET', `${address}/rows${query}`)).body
}
const numbers = ({ rows }: SheetRows) => rows.map(({ number }) => number)

test('a sheet has its header, its row count, who created it and when', async () => {
  const address = await makeSheet({
    title: 'Mine',
    header: ['n', 'outcome'],
    rows: numbered(10),
    hasOutcomes: true,
  })
  const { status, body, headers } = await watchdesk.admin<Sheet>('GET', address)
  expect([status, headers.etag]).toEqual([200, '"1"'])
  expect(body).toEqual({
    id: Number(address.split('/').at(-1)),
    title: 'Mine',
    rows_id: expect.any(Number),
    origin: 'source_management',
    header: ['n', 'outcome'],
    row_count: 10,
    outcomes: { good: 5, bad: 3, odd: 2 },
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\S+Z$/),
    created_by: { id: FIRST_ADMIN.id, name: 'Super Admin' },
    version: 1,
  })
})

test('rows are read by position, also within one outcome', async () => {
  const address = await makeSheet({ header: ['n', 'outcome'], rows: numbered(1200), hasOutcomes: true })
  expect(await rows(address, '?offset=0&limit=2')).toEqual({
    rows: [
      { number: 1, cells: ['1', 'good'] },
      { number: 2, cells: ['2', 'bad'] },
    ],
    total: 1200,
    version: 1,
  })
  expect(numbers(await rows(address))).toHaveLength(500)
  expect(numbers(await rows(address, '?offset=1198'))).toEqual([1199, 1200])
  expect(await rows(address, '?offset=1200')).toMatchObject({ rows: [], total: 1200 })
  expect(await rows(address, '?offset=2147483647&limit=500')).toMatchObject({ rows: [], total: 1200 })
  expect(numbers(await rows(address, '?outcome=odd&offset=1&limit=2'))).toEqual([8, 12])
  expect(await rows(address, '?outcome=good')).toMatchObject({ total: 600 })
  for (const strange of ['none', '__proto__', 'constructor', '']) {
    expect(await rows(address, `?outcome=${strange}`)).toEqual({ rows: [], total: 0, version: 1 })
  }
})

test('a sheet without outcomes has none to filter by', async () => {
  const address = await makeSheet({ rows: [['1', '']] })
  expect((await watchdesk.admin<Sheet>('GET', address)).body.outcomes).toBeNull()
  expect(await rows(address, '?outcome=1')).toMatchObject({ rows: [], total: 0 })
  expect(await rows(address)).toMatchObject({ rows: [{ number: 1, cells: ['1', ''] }] })
})

test('a sheet of one empty cell keeps it', async () => {
  const address = await makeSheet({ header: ['a'], rows: [[''], ['']] })
  expect((await rows(address)).rows).toEqual([
    { number: 1, cells: [''] },
    { number: 2, cells: [''] },
  ])
})

test('a file has all rows or those of one outcome, a safe name, and neutralised formulas', async () => {
  const title = 'Звіт "of" ../Anna\r\nX-Evil: 1; 12:30'
  const cells = [
    ['=1+1', 'good'],
    ['plain, with comma', 'bad'],
    ['-2', 'good'],
  ]
  const address = await makeSheet({ title, header: ['@n', 'outcome'], rows: cells, hasOutcomes: true })
  const { status, body, headers } = await watchdesk.admin<string>('GET', `${address}/file?format=csv`)
  expect([status, headers['content-type'], headers.etag]).toEqual([200, 'text/csv; charset=utf-8', '"1"'])
  expect(headers['content-disposition']).toBe(
    `attachment; filename="____ -of- ..-Anna-X-Evil- 1- 12-30.csv"; filename*=UTF-8''${encodeURIComponent('Звіт -of- ..-Anna-X-Evil- 1- 12-30.csv')}`,
  )
  expect(body).toBe(`\ufeff'@n,outcome\r\n'=1+1,good\r\n"plain, with comma",bad\r\n'-2,good\r\n`)
  const good = await watchdesk.admin<string>('GET', `${address}/file?format=csv&outcome=good`)
  expect(good.body).toBe(`\ufeff'@n,outcome\r\n'=1+1,good\r\n'-2,good\r\n`)
  const workbook = await watchdesk.admin<string>('GET', `${address}/file?format=xlsx`)
  expect(workbook.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  expect(workbook.body.startsWith('PK')).toBe(true)
})

test('a sheet with too many columns for a workbook is rejected with a reason', async () => {
  const wide = Array.from({ length: 16_385 }, (_, n) => `c${n}`)
  const address = await makeSheet({ header: wide, rows: [wide] })
  const response = await watchdesk.admin('GET', `${address}/file?format=xlsx`)
  expect([response.status, errorText(response.body)]).toEqual([
    422,
    'The sheet has more columns than an XLSX file holds. Download it as CSV.',
  ])
  expect((await watchdesk.admin('GET', `${address}/file?format=csv`)).status).toBe(200)
})

/** More rows than the buffers between server and client can hold: 11 MB. */
const LARGE = 6000

async function makeLargeSheet() {
  return makeSheet({ rows: Array.from({ length: LARGE }, () => ['x'.repeat(1900), '']) })
}

async function download(address: string, format = 'csv') {
  const headers = { authorization: `Bearer ${watchdesk.admin.token}` }
  const request = get({ port: watchdesk.port, path: `${address}/file?format=${format}`, headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

test('an aborted download releases its connection', async () => {
  const address = await makeLargeSheet()
  const { pool } = watchdesk.database
  for (let round = 0; round < 12; round += 1) {
    const response = await download(address, round % 2 === 0 ? 'csv' : 'xlsx')
    await once(response, 'data')
    response.destroy()
  }
  // More downloads than there are connections, so each must have been released.
  expect(await rows(address, '?limit=1')).toMatchObject({ total: LARGE })
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
})

test.each(['csv', 'xlsx'])(
  'a download as %s that goes on while the sheet is replaced has all former rows',
  async (format) => {
    const address = await makeLargeSheet()
    const [response, whole] = [await download(address, format), await download(address, format)]
    response.pause()
    const replaced = await watchdesk.admin('PUT', `${address}/file`, multipart(FORM), { 'content-type': FORM_TYPE })
    expect([replaced.status, (await rows(address)).total]).toEqual([200, 1])
    const [paused, other] = await Promise.all([response.toArray(), whole.toArray()])
    // The entries of a workbook have the time at which they were written.
    expect(Buffer.concat(paused).length).toBe(Buffer.concat(other).length)
    if (format === 'csv') expect(Buffer.concat(paused).toString().split('\r\n')).toHaveLength(LARGE + 2)
  },
)

test('what does not exist: 404', async () => {
  for (const path of ['', '/rows', '/file?format=csv']) {
    const response = await watchdesk.admin('GET', `/api/v1/sheets/2147483647${path}`)
    expect([response.status, errorText(response.body)]).toEqual([404, 'Sheet not found.'])
  }
})
