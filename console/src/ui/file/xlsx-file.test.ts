import { restore } from '@watchdesk/contract/csv'
import { type CellValue, cellText } from '@watchdesk/contract/xlsx/cell'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTableFile } from '../file-reader/read-table-file.ts'
import { xlsxFile } from './xlsx-file.ts'

async function readBack(rows: string[][]) {
  const read: string[][] = []
  const sink = () => ({ add: (cells: readonly CellValue[]) => void read.push(cells.map(cellText)), count: () => 0 })
  await readTableFile(new File([xlsxFile(rows)], 'a.xlsx'), sink)
  return read
}

test('what is written is read back, with signs of formulas neutralised', async () => {
  const rows = [
    ['email', 'name', 'password'],
    ['a@example.com', 'Олена <Ковальська> & "Co"', 'aB3!@#$%^&*()_x0041_'],
    ['=cmd()', '+1', '@sum'],
  ]
  expect(await readBack(rows)).toEqual([rows[0], rows[1], ["'=cmd()", "'+1", "'@sum"]])
})

test('any text is read back, and no cell starts a formula', async () => {
  const cell = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() === text)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), async (rows) => {
      const read = await readBack(rows)
      for (const text of read.flat()) expect(text).not.toMatch(/^[=+\-@]/)
      expect(read.map((cells) => cells.map(restore))).toEqual(rows)
    }),
    { numRuns: 50 },
  )
})
