import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { errorText } from '@watchdesk/contract/errors'
import type { SheetRows } from '@watchdesk/contract/sheets'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { useFolder } from '../../../test/helpers/folder.ts'
import { formOf } from '../../../test/helpers/form.ts'
import { memoryFor } from '../../../test/helpers/memory.ts'
import { startReplica } from '../../../test/helpers/replica.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { rowsOf } from '../../adapters/tables/rows.ts'
import { fittingRows } from '../../db/row-sets.ts'

const CELL = 32_767
/** The maximum size of a response, including JSON escapes of quotes and line breaks. */
const ANSWER_BYTES = 10_000_000
/**
 * Memory for one row of the maximum length, 16 MB, in multiple copies: 265 to 336 MB were measured. Uncut, it would be
 * far more.
 */
const MEMORY_MB = 500

const watchdesk = useWatchdesk({}, { isListening: true })
const dir = useFolder()

const authorization = () => ({ authorization: `Bearer ${watchdesk.admin.token}` })

async function insertSheet(header: string[]) {
  const sheet = {
    title: 'Large',
    origin: 'source_management' as const,
    header,
    row_count: 0,
    rows_id: 0,
    created_by: 1,
    updated_by: 1,
  }
  const { id } = await watchdesk.database.db
    .insertInto('sheets')
    .values(sheet)
    .returning('id')
    .executeTakeFirstOrThrow()
  await watchdesk.database.pool.query('update sheets set rows_id = id where id = $1', [id])
  return id
}

async function replace(id: number, csv: string) {
  const body = formOf('large.csv', csv)
  const response = await fetch(`${watchdesk.url}/api/v1/sheets/${id}/file`, {
    method: 'PUT',
    headers: authorization(),
    body,
  })
  return { status: response.status, text: errorText(await response.json()) }
}

const noise = () => randomBytes(CELL).toString('base64')
const digestOf = (cells: string[]) => createHash('sha256').update(JSON.stringify(cells)).digest('hex')

/** Reads every row through the API, page by page, and keeps a short digest of each. */
async function readPages<Kept>(id: number, keep: (cells: string[]) => Kept) {
  const kept: Kept[] = []
  for (let total = 1; kept.length < total; ) {
    const address = `${watchdesk.url}/api/v1/sheets/${id}/rows?offset=${kept.length}`
    const text = await (await fetch(address, { headers: authorization() })).text()
    expect(text.length).toBeLessThan(ANSWER_BYTES)
    const page: SheetRows = JSON.parse(text)
    expect(page.rows.length).toBeGreaterThan(0)
    kept.push(...page.rows.map(({ cells }) => keep(cells)))
    total = page.total
  }
  return kept
}

async function download<Kept>(id: number, format: 'csv' | 'xlsx', keep: (cells: string[]) => Kept) {
  const response = await fetch(`${watchdesk.url}/api/v1/sheets/${id}/file?format=${format}`, {
    headers: authorization(),
  })
  const path = join(dir, `large.${format}`)
  await writeFile(path, Readable.fromWeb(response.body as never))
  const kept: Kept[] = []
  for await (const batch of rowsOf(path, format)) kept.push(...batch.map(({ cells }) => keep(cells)))
  return kept.slice(1)
}

describe('the largest accepted sheet', () => {
  test('rows with the maximum number and length of cells are read back completely, page by page and in both formats', async () => {
    const header = Array.from({ length: 30 }, (_, n) => `c${n}`)
    const rows = Array.from({ length: 12 }, (_, n) => header.map(() => `${n}\nї"${noise()}`.slice(0, CELL)))
    const csv = [header, ...rows].map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    const id = await insertSheet(header)
    expect((await replace(id, csv.join('\n'))).status).toBe(200)
    const expected = rows.map(digestOf)
    expect(await readPages(id, digestOf)).toEqual(expected)
    expect(await download(id, 'csv', digestOf)).toEqual(expected)
    expect(await download(id, 'xlsx', digestOf)).toEqual(expected)
  })

  test('rows with the maximum number of columns', async () => {
    const width = 16_384
    const header = Array.from({ length: width }, (_, n) => `c${n}`)
    const id = await insertSheet(header)
    const row = `${','.repeat(width - 1)}x\n`
    expect((await replace(id, `${header.join(',')}\n${row.repeat(100)}`)).status).toBe(200)
    expect(await readPages(id, ({ length }) => length)).toEqual(Array(100).fill(width))
  })

  test.each([
    ['a cell', 'x'.repeat(CELL + 1), 'Row 2 has a cell of more than 32,767 characters. Shorten it.'],
    ['a row', Array(31).fill('x'.repeat(CELL)).join(','), 'Row 2 has more than 1,000,000 characters. Shorten it.'],
  ])('%s that is longer is refused', async (_, line, message) => {
    const names = Array.from({ length: 31 }, (_, n) => `c${n}`).join(',')
    expect(await replace(await insertSheet(['a']), `${names}\n${line}\n`)).toEqual({ status: 422, text: message })
  })
})

describe('short rows followed by long rows, which the database may compress a hundredfold', () => {
  test('are read back completely, page by page and in both formats', async () => {
    const header = Array.from({ length: 30 }, (_, n) => `c${n}`)
    // A single repeated letter: a workbook of it expands a thousandfold.
    const long = header.map(() => 'y'.repeat(32_000))
    const id = await insertSheet(header)
    const lines = 'x\n'.repeat(1_500) + `${long.join(',')}\n`.repeat(15)
    expect((await replace(id, `${header.join(',')}\n${lines}`)).status).toBe(200)
    const lengthOf = (cells: string[]) => cells.join('').length
    const expected = [...Array(1_500).fill(1), ...Array(15).fill(30 * 32_000)]
    expect(await readPages(id, lengthOf)).toEqual(expected)
    expect(await download(id, 'csv', lengthOf)).toEqual(expected)
    expect(await download(id, 'xlsx', lengthOf)).toEqual(expected)
  })

  test.each([
    ['packed a hundredfold', `array_fill(repeat('y', 32000), array[30])`, 960_000],
    ['packed to less than a page', `array_fill(repeat('y', 5000), array[30])`, 150_000],
    ['not packed', '(select array_agg(md5(i::text)) from generate_series(1, 5000) as i)', 175_000],
  ])('rows %s: one statement unpacks only those that may fit', async (_, cells, rowBytes) => {
    const id = await insertSheet(['a'])
    const { db, pool } = watchdesk.database
    const short = 50
    await pool.query(
      `insert into set_rows (set_id, number, cells)
        select $1, n, case when n <= $2 then array['x'] else ${cells} end from generate_series(1, 250) as n`,
      [id, short],
    )
    const wanted = sql`select number, cells from set_rows where set_id = ${id} order by number limit 10000`
    const part = fittingRows(wanted, { bytes: 2_000_000, rowBytes: 4_000_000 })
    const { rows } = await sql<{ number: number }>`${part}`.execute(db)
    expect(rows.length).toBe(short + Math.ceil(2_000_000 / rowBytes))

    type Plan = { Output: string[]; 'Actual Rows': number; Plans?: Plan[] }
    const explained = await sql<{
      'QUERY PLAN': [{ Plan: Plan }]
    }>`explain (analyze, verbose, format json) ${part}`.execute(db)
    const measuredIn = ({ Output, Plans = [], ...node }: Plan): number[] => [
      Output?.some((column) => column.includes('array_to_string')) ? node['Actual Rows'] : 0,
      ...Plans.flatMap(measuredIn),
    ]
    const measured = Math.max(...explained.rows.flatMap((row) => measuredIn(row['QUERY PLAN'][0].Plan)))
    expect(measured).toBeGreaterThanOrEqual(rows.length)
    expect((measured - short) * rowBytes).toBeLessThan(30_000_000)
  })
})

test('rows stored before there were limits can be read and downloaded; cut cells are marked', async () => {
  const id = await insertSheet(['a', 'b'])
  const { pool } = watchdesk.database
  await pool.query(
    `insert into set_rows (set_id, number, cells) values ($1, 1, array[repeat('x', 3000000), 'end']),
      ($1, 2, array_fill(repeat('x', 32767), array[1600])), ($1, 3, array[repeat('x', 6000000), 'end']), ($1, 4, array['last', ''])`,
    [id],
  )
  await pool.query('update sheets set row_count = 4 where id = $1', [id])
  const lengths = (cells: string[]) => cells.map(({ length }) => length)
  const read: string[][] = await readPages(id, (cells) => cells.map((cell) => cell.slice(-40)))
  expect(read.map(({ length }) => length)).toEqual([2, 1600, 2, 2])
  expect(read[0]).toEqual(['x'.repeat(40), 'end'])
  expect(read[1]?.[1599]).toMatch(/… \(cut: 32767 characters in all\)$/)
  expect(read[2]?.[0]).toMatch(/… \(cut: 6000000 characters in all\)$/)

  const headers = authorization()
  // In a separate process, because this one has the memory of all tests.
  const replica = await startReplica(watchdesk, { LOG_LEVEL: 'warn', STATEMENT_TIMEOUT_MS: '60000' })
  onTestFinished(async () => void (await replica.stop()))
  let csv = ''
  const memory = await memoryFor(replica.pid, async () => {
    csv = await (await fetch(`${replica.url}/api/v1/sheets/${id}/file?format=csv`, { headers })).text()
  })
  expect(memory).toBeLessThan(MEMORY_MB)
  const lines = csv.split('\r\n')
  expect(lengths(lines.slice(3, 5).flatMap((line) => line.split(',')))).toEqual([6_000_000, 3, 4, 0])
  expect(lines[2]?.match(/cut: 32767 characters in all/g)).toHaveLength(1600)
  const xlsx = await fetch(`${replica.url}/api/v1/sheets/${id}/file?format=xlsx`, { headers })
  expect((await xlsx.arrayBuffer()).byteLength).toBeGreaterThan(1000)
})
