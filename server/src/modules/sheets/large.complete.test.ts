import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { errorText } from '@watchdesk/contract/errors'
import type { SheetRows } from '@watchdesk/contract/sheets'
import { describe, expect, test } from 'vitest'
import { useFolder } from '../../../test/helpers/folder.ts'
import { formOf } from '../../../test/helpers/form.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { rowsOf } from '../../adapters/tables/rows.ts'
import { rowReader } from '../../db/row-sets.ts'

const CELL = 32_767
/** The maximum size of a response, including JSON escapes of quotes and line breaks. */
const ANSWER_BYTES = 10_000_000

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
  ])('rows %s are read in small parts', async (_, cells, rowBytes) => {
    const id = await insertSheet(['a'])
    const { db, pool } = watchdesk.database
    await pool.query(
      `insert into set_rows (set_id, number, cells)
        select $1, n, case when n <= 50 then array['x'] else ${cells} end from generate_series(1, 250) as n`,
      [id],
    )
    const next = rowReader(db, id)
    const numbers: number[] = []
    for (let part = await next(); part.length > 0; part = await next()) {
      expect(part.filter(({ number }) => number > 50).length * rowBytes).toBeLessThan(2_000_000 + rowBytes)
      numbers.push(...part.map(({ number }) => number))
    }
    expect(numbers).toEqual(Array.from({ length: 250 }, (_, index) => index + 1))
  })
})
