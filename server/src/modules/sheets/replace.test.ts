import { randomBytes } from 'node:crypto'
import { errorText } from '@watchdesk/contract/errors'
import type { Sheet, SheetRows } from '@watchdesk/contract/sheets'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { formOf } from '../../../test/helpers/form.ts'
import { expectTurns } from '../../../test/helpers/locks.ts'
import { FIRST_ADMIN } from '../../../test/helpers/people.ts'
import { type GivenSheet, newSheet } from '../../../test/helpers/sheet.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import type { Actor } from '../../actor.ts'

const watchdesk = useWatchdesk({}, { isListening: true })
const ACTOR = { id: FIRST_ADMIN.id, name: 'Super Admin' } as Actor

async function makeSheet(sheet: GivenSheet = {}) {
  const { db, sheets } = watchdesk.deps
  const { id } = await db
    .transaction()
    .execute((trx) => sheets.create(trx, ACTOR, newSheet({ rows: [['1', '2']], ...sheet })))
  return `/api/v1/sheets/${id}`
}

async function replace(address: string, name: string, content: string | Buffer, headers = {}) {
  const response = await fetch(`${watchdesk.url}${address}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${watchdesk.admin.token}`, ...headers },
    body: formOf(name, content),
  })
  return { status: response.status, body: (await response.json()) as Sheet }
}

async function download(address: string, format: 'csv' | 'xlsx') {
  const headers = { authorization: `Bearer ${watchdesk.admin.token}` }
  const response = await fetch(`${watchdesk.url}${address}/file?format=${format}`, { headers })
  return Buffer.from(await response.arrayBuffer())
}

async function cells(address: string) {
  return (await watchdesk.admin<SheetRows>('GET', `${address}/rows`)).body.rows.map((row) => row.cells)
}

test('header and rows are replaced by those of the file, and the version is incremented', async () => {
  const address = await makeSheet()
  const { status, body } = await replace(address, 'new.csv', 'x;y;z\r\n1;2;3\r\n\r\n;;\r\n4\r\n', { 'if-match': '"1"' })
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ header: ['x', 'y', 'z'], row_count: 2, version: 2, title: 'A sheet' }),
  ])
  expect(await cells(address)).toEqual([
    ['1', '2', '3'],
    ['4', '', ''],
  ])
  const audit = await watchdesk.admin('GET', `/api/v1/audit/?entity=sheet&entity_id=${body.id}`)
  expect(audit.body.objects?.[0]).toMatchObject({
    action: 'update',
    changes: {
      header: { before: ['a', 'b'], after: ['x', 'y', 'z'] },
      row_count: { before: 1, after: 2 },
      file: { after: 'new.csv' },
    },
  })
})

test.each(['csv', 'xlsx'] as const)(
  'what was downloaded as %s and put back is the same sheet, formulas included',
  async (format) => {
    const rows = [
      ['=1+1', "'quoted"],
      ["'=x", "''-"],
      ['@handle', ' spaces '],
      ['line\r\nbreak', '"'],
      ['_x0041_', 'Їжак 😀'],
      ["x;=cmd|'/C calc'!A0", "a, '-b\n- c"],
    ]
    const address = await makeSheet({ header: ['+a', 'b'], rows })
    const { status, body } = await replace(address, `back.${format}`, await download(address, format))
    expect([status, body.header, await cells(address)]).toEqual([200, ['+a', 'b'], rows])
  },
)

test('outcomes are counted again if the sheet lists them', async () => {
  const address = await makeSheet({ header: ['n', 'outcome'], rows: [['1', 'good']], hasOutcomes: true })
  const edited = await replace(address, 'a.csv', 'n,outcome\n1,bad\n2,bad\n3,__proto__\n')
  expect(edited.body.outcomes).toEqual(JSON.parse('{"bad":2,"__proto__":1}'))
  const bad = await watchdesk.admin<SheetRows>('GET', `${address}/rows?outcome=bad&offset=1`)
  expect(bad.body).toMatchObject({ rows: [{ number: 2 }], total: 2 })
  expect((await watchdesk.admin<SheetRows>('GET', `${address}/rows?outcome=__proto__`)).body.total).toBe(1)
  const many = Array.from({ length: 101 }, (_, n) => `${n},text ${n}\n`).join('')
  expect((await replace(address, 'a.csv', `n,outcome\n${many}`)).body.outcomes).toBeNull()
})

test('text in the outcome column may be as long as any other text', async () => {
  const address = await makeSheet({ header: ['n', 'outcome'], rows: [['1', 'good']], hasOutcomes: true })
  const long = randomBytes(6_000).toString('base64')
  const edited = await replace(address, 'a.csv', `n,outcome\n1,${long}\n2,good\n`)
  expect([edited.status, edited.body.outcomes]).toEqual([200, null])
  expect(await cells(address)).toEqual([
    ['1', long],
    ['2', 'good'],
  ])
})

test('columns may have the names of built-in object properties', async () => {
  const address = await makeSheet()
  const { body } = await replace(address, 'a.csv', '__proto__,constructor,toString\n1,2,3\n')
  expect(body.header).toEqual(['__proto__', 'constructor', 'toString'])
  expect(await cells(address)).toEqual([['1', '2', '3']])
  expect(Reflect.get({}, '1')).toBeUndefined()
})

test('100,000 rows replace one', async () => {
  const address = await makeSheet()
  const lines = Array.from({ length: 100_000 }, (_, n) => `https://t.me/channel_${n},UA\n`)
  expect((await replace(address, 'a.csv', `source_url,source_country\n${lines.join('')}`)).body.row_count).toBe(100_000)
  const last = await watchdesk.admin<SheetRows>('GET', `${address}/rows?offset=99999`)
  expect(last.body.rows).toEqual([{ number: 100_000, cells: ['https://t.me/channel_99999', 'UA'] }])
})

test('with many concurrent imports, other calls get a response, and imports beyond the limit are rejected', async () => {
  const address = await makeSheet()
  const holding = `select from sheets where id = ${address.split('/').at(-1)} for update`
  await expectTurns(watchdesk, holding, 412, () => replace(address, 'a.csv', 'a,b\n3,4\n', { 'if-match': '"99"' }))
})

describe('a rejected file leaves the sheet unchanged:', () => {
  test.each([
    ['another kind of file', 'a.txt', 'a\n1\n', 'File must be of type csv or xlsx.'],
    ['an empty file', 'a.csv', '', 'The file is empty.'],
    ['a header with a gap', 'a.csv', 'a,,c\n1,2,3\n', 'CSV contains empty column names.'],
    [
      'rows that are too long',
      'a.csv',
      `a\n${'1,2\n'.repeat(12)}`,
      'Invalid file! Header values mismatch in rows: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11.',
    ],
    [
      'one row that is too long',
      'a.csv',
      `a\n${'1\n'.repeat(9000)}1,2\n`,
      'Invalid file! Header values mismatch in rows: 9002.',
    ],
    ['a workbook that is none', 'a.xlsx', 'a\n1\n', 'The file has the extension .xlsx but is not an Excel workbook.'],
  ])('%s', async (_, name, content, message) => {
    const address = await makeSheet()
    const response = await replace(address, name, content)
    expect([response.status, errorText(response.body)]).toEqual([422, message])
    expect(await cells(address)).toEqual([['1', '2']])
    expect((await watchdesk.admin<Sheet>('GET', address)).body.version).toBe(1)
  })

  test('a stale version, with 412 and who changed it when', async () => {
    const address = await makeSheet()
    await replace(address, 'a.csv', 'a\nfirst\n', { 'if-match': '"1"' })
    const stale = await replace(address, 'a.csv', 'a\nsecond\n', { 'if-match': '"1"' })
    expect(stale.status).toBe(412)
    expect(errorText(stale.body)).toMatch(/^This sheet was changed by Super Admin at \S+Z\.$/)
    expect(await cells(address)).toEqual([['first']])
  })

  test('a failure of the database in the middle', async () => {
    const address = await makeSheet()
    const { db } = watchdesk.database
    await sql`alter table set_rows add constraint refused check (cells[1] <> 'refused') not valid`.execute(db)
    expect((await replace(address, 'a.csv', `a\n${'1\n'.repeat(6000)}refused\n`)).status).toBe(500)
    await sql`alter table set_rows drop constraint refused`.execute(db)
    expect(await cells(address)).toEqual([['1', '2']])
  })

  test('a sheet that does not exist, with 404', async () => {
    expect((await replace('/api/v1/sheets/2147483647', 'a.csv', 'a\n1\n')).status).toBe(404)
  })
})
