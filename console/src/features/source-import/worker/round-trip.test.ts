import { csvLine, neutralise, restore } from '@watchdesk/contract/csv'
import * as fc from 'fast-check'
import { writeXlsx } from 'hucre/xlsx'
import { expect, test, vi } from 'vitest'
import { readCsv } from '../../../ui/file-reader/csv.ts'
import { readXlsxFile } from '../../../ui/file-reader/xlsx.ts'
import { collector, recordFrom, type Table } from './collector.ts'

vi.setConfig({ testTimeout: 60_000 + Number(process.env.FUZZ_RUNS ?? 0) * 100 })

type Value = string | number | boolean
type Written = { header: string[]; rows: Value[][] }

const isBlank = (value: Value) => typeof value === 'string' && value.trim() === ''
const nameOf = (written: string) => restore(written).trim()
const nothing = () => {}
const csvRows = () => collector('csv')
const RUNS = Number(process.env.FUZZ_RUNS ?? 50)

/** Characters of many scripts, and all that have a meaning in CSV. */
const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abc XYZ019,;\t"\n|=\'') },
  { weight: 2, arbitrary: fc.constantFrom(...'їжак€éß', '\u00a0', '漢', '🇺🇦', '𝒳') },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
      .filter((one) => !/[\p{Cc}\ufeff]/u.test(one)),
  },
)
const text = fc.string({ unit: character, maxLength: 8 })
/**
 * Windows-1251 without the characters that could be mistaken for UTF-8, or (`яю`) for the byte order mark of UTF-16.
 */
const cyrillic = fc.string({ unit: fc.constantFrom(...'абАБежЩ abc,;"\n'), maxLength: 8 })

const table = (value: fc.Arbitrary<Value>, name: fc.Arbitrary<string>): fc.Arbitrary<Written> =>
  fc
    .uniqueArray(
      name.map((one) => one.trim()).filter((one) => one !== '' && !/^sep=/i.test(one)),
      { minLength: 1, maxLength: 5, selector: (one) => nameOf(one).toLowerCase() },
    )
    .chain((header) =>
      fc.record({
        header: fc.constant(header),
        rows: fc.array(fc.array(value, { minLength: header.length, maxLength: header.length }), { maxLength: 12 }),
      }),
    )

/** What every reader must return: formula escapes removed, blank cells and blank rows left out. */
function expected(written: Written) {
  const header = written.header.map(nameOf)
  const rows = written.rows.map((cells) => cells.map((one) => (typeof one === 'string' ? restore(one) : one)))
  const numbered = rows.map((cells, index) => ({ cells, row: index + 2 })).filter(({ cells }) => !cells.every(isBlank))
  return {
    rows: numbered.map(({ row }) => row),
    records: numbered.map(({ cells }) =>
      header.flatMap((name, column): [string, Value][] => {
        const value = cells[column] ?? ''
        return isBlank(value) ? [] : [[name, value]]
      }),
    ),
  }
}

function found(read: Table) {
  return { rows: read.rows, records: read.values.map((cells) => Object.entries(recordFrom(read.keys, cells))) }
}

/** Entries, because an object would put keys like `1` first. */
function sorted({ rows, records }: ReturnType<typeof found>) {
  return { rows, records: records.map((record) => new Map<string, unknown>(record)) }
}

const ENCODERS = {
  'utf-8': (written: string) => new TextEncoder().encode(written),
  'utf-8 with a mark': (written: string) => new TextEncoder().encode(`\uFEFF${written}`),
  'utf-16le': (written: string) => new Uint8Array(Buffer.from(`\uFEFF${written}`, 'utf16le')),
  'utf-16be': (written: string) => new Uint8Array(Buffer.from(`\uFEFF${written}`, 'utf16le').swap16()),
}
const toWindows1251 = (written: string) =>
  Uint8Array.from(written, (letter) => letter.charCodeAt(0) - (letter >= 'А' ? 0x350 : 0))

const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  quotes: fc.constantFrom('always', 'where needed'),
  sep: fc.boolean(),
  isEnded: fc.boolean(),
  /** Slice boundaries fall everywhere, including inside characters, line breaks and quotes. */
  slice: fc.integer({ min: 1, max: 64 }),
})

type Dialect = typeof dialect extends fc.Arbitrary<infer One> ? One : never

function csv({ header, rows }: Written, { delimiter, lineEnd, quotes, sep, isEnded }: Dialect) {
  const cell = (value: Value) =>
    quotes === 'always' || /[",;\t\r\n]/.test(String(value))
      ? `"${String(value).replaceAll('"', '""')}"`
      : String(value)
  const lines = [header, ...rows].map((cells) => cells.map(cell).join(delimiter))
  return [...(sep ? [`sep=${delimiter}`] : []), ...lines].join(lineEnd) + (isEnded ? lineEnd : '')
}

test('any table survives a round trip through CSV with any separator, quoting, line break, encoding and slice size', async () => {
  await fc.assert(
    fc.asyncProperty(
      table(text, text),
      dialect,
      fc.constantFrom(...Object.values(ENCODERS)),
      async (written, as, encode) => {
        const read = await readCsv(new Blob([encode(csv(written, as))]), csvRows, nothing, as.slice)
        expect(sorted(found(read.finish()))).toEqual(sorted(expected(written)))
      },
    ),
    { numRuns: RUNS },
  )
})

test('a row of escaped blanks is a blank row', async () => {
  const cells = [['source_url'], ['\t'], ['https://t.me/one']]
  const read = (await readCsv(new Blob([cells.map(csvLine).join('')]), csvRows, nothing)).finish()
  expect(read).toMatchObject({ rows: [3], values: [['https://t.me/one']] })
})

test('any table survives a round trip through CSV in windows-1251', async () => {
  await fc.assert(
    fc.asyncProperty(table(cyrillic, cyrillic), dialect, async (written, as) => {
      const read = await readCsv(new Blob([toWindows1251(csv(written, as))]), csvRows, nothing, as.slice)
      expect(sorted(found(read.finish()))).toEqual(sorted(expected(written)))
    }),
    { numRuns: RUNS / 2 },
  )
})

test('any table survives a round trip through XLSX, with its numbers and booleans', async () => {
  const value = fc.oneof(
    { weight: 4, arbitrary: text as fc.Arbitrary<Value> },
    { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0) },
    { weight: 1, arbitrary: fc.boolean() },
  )
  await fc.assert(
    fc.asyncProperty(table(value, text), async ({ header, rows }) => {
      const bytes = new Uint8Array(await writeXlsx({ sheets: [{ name: 'Sheet', rows: [header, ...rows] }] }))
      const read = await readXlsxFile(new Blob([bytes]), () => collector('xlsx'), nothing)
      expect(sorted(found(read.finish()))).toEqual(sorted(expected({ header, rows })))
    }),
    { numRuns: RUNS / 2 },
  )
})

const ADDRESS_PARTS = ['a', 'channel', ';', ',', '|', "'", '=', '-', '+', '@', ';=', ",'-", '|@', '/', '%20', 'ї']
/** Addresses with every character that is escaped in the files we write. */
const address = fc
  .array(fc.constantFrom(...ADDRESS_PARTS), { minLength: 1, maxLength: 8 })
  .map((parts) => `https://example.com/${parts.join('')}`)

test('source addresses survive a round trip through our files, and identify the same sources', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(address, { minLength: 1, maxLength: 6 }), async (urls) => {
      const table = [['source_url', '=note'], ...urls.map((url) => [url, '-'])]
      const csvFile = new Blob([`\uFEFF${table.map(csvLine).join('')}`])
      const safe = table.map((cells) => cells.map(neutralise))
      const xlsxFile = new Blob([new Uint8Array(await writeXlsx({ sheets: [{ name: 'Sheet', rows: safe }] }))])
      const readers = [
        await readCsv(csvFile, csvRows, nothing),
        await readXlsxFile(xlsxFile, () => collector('xlsx'), nothing),
      ]
      for (const reader of readers) {
        const read = reader.finish()
        const records = read.values.map((cells) => recordFrom(read.keys, cells))
        expect(records).toEqual(urls.map((source_url) => ({ source_url, '=note': '-' })))
      }
    }),
    { numRuns: RUNS / 2 },
  )
})
