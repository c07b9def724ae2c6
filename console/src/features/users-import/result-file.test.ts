import { type CellValue, cellText } from '@watchdesk/contract/xlsx/cell'
import { expect, test } from 'vitest'
import { readTableFile } from '../../ui/file-reader/read-table-file.ts'
import { filePassword } from './passwords.ts'
import { resultFile } from './result-file.ts'
import type { ResultRow } from './use-run.ts'

const ADDED = { row: 2, written: {}, outcome: 'added', reason: null } as const

async function cellsOf(results: ResultRow[], format: 'csv' | 'xlsx') {
  const read: string[][] = []
  const add = (cells: readonly CellValue[]) => void read.push(cells.map(cellText))
  await readTableFile(new File([resultFile(results, format, 'password')], `a.${format}`), () => ({
    add,
    count: () => 0,
  }))
  return read
}

test.each(['csv', 'xlsx'] as const)('a %s file has every password as it is, and no formula', async (format) => {
  const results: ResultRow[] = Array.from({ length: 300 }, (_, index) => ({
    ...ADDED,
    email: `a${index}@example.com`,
    name: '=HYPERLINK("https://evil.example")',
    password: filePassword(),
  }))
  results.push({ ...ADDED, email: '@sum', name: '+1', password: null, outcome: 'invalid email', reason: 'No; email' })
  const [header, ...rows] = await cellsOf(results, format)
  expect(header).toEqual(['email', 'name', 'password', 'outcome', 'reason'])
  expect(rows.map((cells) => cells[2] ?? '')).toEqual(results.map(({ password }) => password ?? ''))
  for (const cells of rows) for (const cell of cells) expect(cell).not.toMatch(/^[=+@-]/)
  expect(rows.at(-1)).toEqual(["'@sum", "'+1", '', 'invalid email', 'No; email'])
})
