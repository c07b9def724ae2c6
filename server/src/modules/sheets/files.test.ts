import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { neutralise, restore } from '@watchdesk/contract/csv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useFolder } from '../../../test/helpers/folder.ts'
import { rowsOf } from '../../adapters/tables/rows.ts'
import type { TableKind } from '../../adapters/tables/tables.ts'
import { csvOf } from '../../adapters/tables/write-csv.ts'
import { columnName, xlsxOf } from '../../adapters/tables/write-xlsx.ts'

const dir = useFolder()

/** Yields the rows of a sheet in small batches. */
function readerOf(rows: string[][]) {
  let taken = 0
  return async (limit: number) => {
    const part = rows.slice(taken, taken + Math.min(limit, 3)).map((cells) => ({ cells }))
    taken += part.length
    return part
  }
}

async function write(kind: TableKind, header: string[], rows: string[][]) {
  const next = readerOf(rows)
  const stream = kind === 'csv' ? Readable.from(csvOf(header, next)) : xlsxOf(header, rows.length, next)
  const path = join(dir, `file.${kind}`)
  await writeFile(path, stream)
  return path
}

/** The rows that our own reader finds in the file. */
async function read(kind: TableKind, path: string) {
  const found: string[][] = []
  for await (const batch of rowsOf(path, kind)) found.push(...batch.map(({ cells }) => cells))
  return found
}

const UNSAFE = /(?:^|[;,|\t\r\n])["\s\u0085\u200b-\u200d\u2060]*[=+\-@＝＋－＠]|^[\t\r\n]/
const STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', "'", "''=", "'-", '＝', '＋', '－', '＠']
const SEPARATORS = [';', ',', '\t', '|', '\r\n', '\n', '\r']
/** The formulas that a program would run when splitting at the separator. */
const hidden = fc
  .tuple(
    fc.constantFrom('', 'x', "'"),
    fc.constantFrom(...SEPARATORS),
    fc.constantFrom('', ' ', '"'),
    fc.constantFrom(...STARTS),
  )
  .map((parts) => parts.join(''))
const cell = fc.oneof(
  { weight: 2, arbitrary: hidden },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...STARTS), fc.string({ unit: 'grapheme', maxLength: 8 }))
      .map(([a, b]) => a + b),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '"',
      '""',
      ',',
      ';',
      'a,b',
      'a"b',
      'a\r\nb',
      ' x ',
      '<&>',
      ']]>',
      '_x0041_',
      '_x005F_',
      '&amp;',
      '',
      'sep=;',
      'sep=x',
      'x;=1+1',
      'x; "=1"',
      "a,'-b",
      'a|@b',
      'a\t+b',
      'a\n\n=b',
      '"=1"',
      ' =1',
      '1e5',
      'TRUE',
    ),
  },
)
// A last cell that is never blank preserves the width of the row.
const table = fc.integer({ min: 1, max: 4 }).chain((width) => {
  const row = fc
    .tuple(fc.array(cell, { minLength: width, maxLength: width }), fc.constantFrom('end', '=end'))
    .map(([cells, end]) => [...cells, end])
  return fc.array(row, { minLength: 1, maxLength: 8 })
})

describe.each(['csv', 'xlsx'] as const)('a sheet as %s', (kind) => {
  test('has no cell that starts like a formula, and is read back unchanged', async () => {
    const property = fc.asyncProperty(table, async (rows) => {
      const header = rows[0]?.map((_, index) => `column ${index}`) ?? []
      const found = await read(kind, await write(kind, header, rows))
      for (const each of found.flat()) expect(each).not.toMatch(/^["\s]*[=+\-@＝＋－＠]|^[\t\r\n]/)
      expect(found.map((cells) => cells.map(restore))).toEqual([header, ...rows])
    })
    await fc.assert(property, { numRuns: 30 })
  })
})

test.each(SEPARATORS)(
  'a program that splits the written file at %j, whatever the quotes say, finds no formula',
  async (separator) => {
    const property = fc.asyncProperty(table, async (rows) => {
      const text = (await Readable.from(csvOf(rows[0] ?? [], readerOf(rows))).toArray()).join('').slice(1)
      for (const part of text.split(separator)) expect(part).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/)
    })
    await fc.assert(property, { numRuns: 50 })
  },
)

test.each([
  ["x;=cmd|'/C calc'!A0", "x;'=cmd|'/C calc'!A0"],
  ['Kyiv, -5; a -b', "Kyiv, '-5; a -b"],
  ['a\r\n\r\n- one\n"=two"', 'a\r\n\r\n\'- one\n"\'=two"'],
  ['https://t.me/a?b=c;d=e', 'https://t.me/a?b=c;d=e'],
  ["a;'=b", "a;''=b"],
  ['sep=x', "'sep=x"],
  ...['\u0085', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'].map((hidden) => [`${hidden}=a`, `${hidden}'=a`]),
])('%j is written as %j', (cell, written) => {
  expect([neutralise(cell), restore(written)]).toEqual([written, cell])
})

test('neutralising a cell is reversible, whatever the cell contains', () => {
  const marks = fc.string({ unit: fc.constantFrom(...'=-@;,|\t\r\n "\'axsep\u0085\u200b\u200d\u2060') })
  const any = fc.oneof(cell, marks, fc.string({ unit: 'binary' }))
  const property = fc.property(any, (text) => restore(neutralise(text)) === text && !UNSAFE.test(neutralise(text)))
  fc.assert(property, { numRuns: 2000 })
})

test('a CSV file starts with a UTF-8 byte order mark, and its lines end with CRLF', async () => {
  const parts = await Readable.from(csvOf(['a'], readerOf([['x'], [''], ['"']]))).toArray()
  expect(parts.join('')).toBe('\ufeffa\r\nx\r\n""\r\n""""\r\n')
})

test('a cell of a workbook is cut at the limit of the format and marked; control characters are removed', async () => {
  const rows = [['x'.repeat(40_000)], ['=\u0001\u000b'], [`${'x'.repeat(32_765)}😀😀`]]
  const [, long, control, emoji] = await read('xlsx', await write('xlsx', ['a'], rows))
  const note = (length: string) => `… (cut: ${length} characters in all)`
  expect(long?.[0]).toBe('x'.repeat(32_767 - note('40,000').length) + note('40,000'))
  expect(control).toEqual(["'="])
  expect(emoji?.[0]).toBe('x'.repeat(32_767 - note('32,769').length) + note('32,769'))
})

test('the cells of a column of numbers are numbers in a workbook, except what is none', async () => {
  const rows = [
    ['-5', '-5'],
    ['=1', '1'],
    ['1234567890123456', ''],
    ['', ''],
  ]
  const path = join(dir, 'numbers.xlsx')
  await writeFile(path, xlsxOf(['-1', 'text'], rows.length, readerOf(rows), [0]))
  // Only text is neutralised.
  expect(await read('xlsx', path)).toEqual([["'-1", 'text'], ['-5', "'-5"], ["'=1", '1'], ['1234567890123456']])
})

test('reading stops when the download of a workbook is aborted', async () => {
  let reads = 0
  const next = async (limit: number) => {
    reads += 1
    return Array.from({ length: limit }, () => ({ cells: [randomUUID()] }))
  }
  const stream = xlsxOf(['a'], 1_000_000, next)
  await once(stream, 'readable')
  stream.destroy()
  await once(stream, 'close')
  const before = reads
  for (let turn = 0; turn < 100; turn += 1) await setImmediate()
  expect(reads).toBeLessThanOrEqual(before + 1)
})

test('columns have the same names as in spreadsheets', () => {
  expect([0, 25, 26, 51, 701, 702, 16_383].map(columnName)).toEqual(['A', 'Z', 'AA', 'AZ', 'ZZ', 'AAA', 'XFD'])
})
