import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { numberText } from '@watchdesk/contract/text'
import { rowsOf } from '@watchdesk/server/adapters/tables/rows'
import * as fc from 'fast-check'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, expect, test } from 'vitest'
import { readTableFile } from './read-table-file.ts'
import type { Cell, TableKind } from './sink.ts'

const folder = mkdtempSync(join(tmpdir(), 'watchdesk-same-rows-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Row = { row: number; cells: string[] }

async function onTheServer(bytes: Uint8Array, kind: TableKind) {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const rows: Row[] = []
  for await (const batch of rowsOf(path, kind)) rows.push(...batch)
  return rows.map(({ row, cells }) => ({ row, cells: cells.map(withLineFeeds) }))
}

/** Like the server, ignores blank rows, and blank cells at the end of a row. */
async function inTheBrowser(bytes: Uint8Array<ArrayBuffer>, kind: TableKind) {
  const rows: Row[] = []
  const add = (given: readonly Cell[], row: number) => {
    const cells = given.map(textOf)
    const kept = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
    if (kept.length > 0) rows.push({ row, cells: kept })
  }
  await readTableFile(new File([bytes], `file.${kind}`), () => ({ add, count: () => rows.length }))
  return rows
}

function textOf(cell: Cell) {
  if (typeof cell === 'number') return numberText(cell)
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  return withLineFeeds(cell ?? '')
}

const withLineFeeds = (text: string) => text.replace(/\r\n?/g, '\n')

const character = fc.constantFrom(...'aЯ19 ,;\t"\'=\n\r|_x', 'sep=', '""', '_x000A_', '🇺🇦')
const text = fc.string({ unit: character, maxLength: 10 })

test('any CSV text, well-formed or not, gives the same rows on both sides, or an error on both', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: character, maxLength: 60 }), async (written) => {
      const bytes = new TextEncoder().encode(written)
      const [server, browser] = await Promise.allSettled([onTheServer(bytes, 'csv'), inTheBrowser(bytes, 'csv')])
      expect(browser.status).toBe(server.status)
      if (server.status === 'fulfilled') expect(browser).toEqual(server)
    }),
    { numRuns: 500 },
  )
})

test('any workbook gives the same rows on both sides', async () => {
  const value = fc.oneof(
    { weight: 4, arbitrary: text },
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc
      .date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => new Date(Math.round(date.getTime() / 1000) * 1000)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(value, { maxLength: 5 }), { minLength: 1, maxLength: 8 }), async (rows) => {
      const bytes = new Uint8Array(await writeXlsx({ sheets: [{ name: 'Sheet', rows }] }))
      expect(await inTheBrowser(bytes, 'xlsx')).toEqual(await onTheServer(bytes, 'xlsx'))
    }),
    { numRuns: 200 },
  )
})
