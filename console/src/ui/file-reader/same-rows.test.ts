import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CellValue } from '@watchdesk/contract/xlsx/cell'
import { rowsOf } from '@watchdesk/server/adapters/tables/rows'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { readTableFile } from './read-table-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'watchdesk-same-rows-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Row = { row: number; cells: string[] }

async function onTheServer(bytes: Uint8Array) {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const rows: Row[] = []
  for await (const batch of rowsOf(path, 'csv')) rows.push(...batch)
  return rows.map(({ row, cells }) => ({ row, cells: cells.map(withLineFeeds) }))
}

/** Like the server, ignores blank rows, and blank cells at the end of a row. */
async function inTheBrowser(bytes: Uint8Array<ArrayBuffer>) {
  const rows: Row[] = []
  const add = (given: readonly CellValue[], row: number) => {
    const cells = given.map((cell) => withLineFeeds(String(cell)))
    const kept = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
    if (kept.length > 0) rows.push({ row, cells: kept })
  }
  await readTableFile(new File([bytes], 'file.csv'), () => ({ add, count: () => rows.length }))
  return rows
}

const withLineFeeds = (text: string) => text.replace(/\r\n?/g, '\n')

const character = fc.constantFrom(...'aЯ19 ,;\t"\'=\n\r|_x', 'sep=', '""', '_x000A_', '🇺🇦')
test('any CSV text, well-formed or not, gives the same rows on both sides, or an error on both', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: character, maxLength: 60 }), async (written) => {
      const bytes = new TextEncoder().encode(written)
      const [server, browser] = await Promise.allSettled([onTheServer(bytes), inTheBrowser(bytes)])
      expect(browser.status).toBe(server.status)
      if (server.status === 'fulfilled') expect(browser).toEqual(server)
    }),
    { numRuns: 500 },
  )
})
