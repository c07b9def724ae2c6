import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TableError } from '@watchdesk/contract/table-error'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useFolder } from '../../../test/helpers/folder.ts'
import { workbook, workbookFiles, workbookOf, zipped } from '../../../test/helpers/workbook.ts'
import { rowsOf as readRows } from './rows.ts'
import type { TableKind, TableRow } from './tables.ts'

const dir = useFolder()
let serial = 0

function file(content: string | Buffer) {
  serial += 1
  const path = join(dir, `file-${serial}`)
  writeFileSync(path, content)
  return path
}

async function rowsOf(content: string | Buffer, kind: TableKind) {
  const rows: TableRow[] = []
  for await (const batch of readRows(file(content), kind)) rows.push(...batch)
  return rows
}

const cellsOf = async (content: string | Buffer, kind: TableKind = 'csv') =>
  (await rowsOf(content, kind)).map(({ cells }) => cells)

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const TEXT = 'id,story\n1,Привіт ґ €\n'
const ROWS = [
  ['id', 'story'],
  ['1', 'Привіт ґ €'],
]
// Windows-1251 has 64 letters in Unicode order from 0xC0 on; the others are mapped explicitly.
const windows1251 = (text: string) =>
  Buffer.from(
    Array.from(text, (character) => {
      const code = character.charCodeAt(0)
      const others: Record<string, number> = { і: 0xb3, ґ: 0xb4, '€': 0x88 }
      return others[character] ?? (code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code)
    }),
  )

describe('a CSV file', () => {
  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16 LE with a mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16 BE with a mark', utf16be(`\ufeff${TEXT}`)],
    ['UTF-16 LE without a mark', Buffer.from(TEXT, 'utf16le')],
    ['UTF-16 BE without a mark', utf16be(TEXT)],
    ['Cyrillic Windows', windows1251(TEXT)],
  ])('in %s is read', async (_, bytes) => {
    expect(await cellsOf(bytes)).toEqual(ROWS)
  })

  test('is Windows-1251 if only its last byte is not UTF-8', async () => {
    const long = `id,story\n${'1,x\n'.repeat(70_000)}`
    const rows = await cellsOf(Buffer.concat([Buffer.from(long), windows1251('2,Я')]))
    expect(rows.at(-1)).toEqual(['2', 'Я'])
  })

  test('with characters split across chunks is decoded correctly', async () => {
    for (const shift of ['', 'x', 'xx', 'xxx']) {
      const long = '😀'.repeat(100_000)
      expect(await cellsOf(`${shift},story\n1,${long}\n`)).toEqual([[shift, 'story'].map(String), ['1', long]])
    }
  })

  test.each([
    [
      'commas',
      'a,b;c,d\n1,2,3',
      [
        ['a', 'b;c', 'd'],
        ['1', '2', '3'],
      ],
    ],
    [
      'semicolons',
      'a;b;c\n1,5;2;3',
      [
        ['a', 'b', 'c'],
        ['1,5', '2', '3'],
      ],
    ],
    [
      'tabs',
      'a\tb,c\td\n1\t2\t3',
      [
        ['a', 'b,c', 'd'],
        ['1', '2', '3'],
      ],
    ],
    [
      'semicolons, with commas in quotes',
      '"a,b,c,d";e\n1;2',
      [
        ['a,b,c,d', 'e'],
        ['1', '2'],
      ],
    ],
    [
      'what its sep line says',
      'sep=|\r\na|b,c\r\n1|2',
      [
        ['a', 'b,c'],
        ['1', '2'],
      ],
    ],
    [
      'what its sep line says, in UTF-8 with a mark',
      '\ufeffsep=;\na;b,c\n1;2',
      [
        ['a', 'b,c'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons, below blank lines',
      '\r\n\na;b\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'what its sep line says, as Excel pads it',
      '"sep=;",,\r\na;b\r\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['nothing', 'a\n1', [['a'], ['1']]],
  ])('separated by %s is read', async (_, text, rows) => {
    expect(await cellsOf(text)).toEqual(rows)
  })

  test('keeps line breaks, quotes and separators in quotes, and stray quotes', async () => {
    const text = 'a,b\n"1\n2\r\n3","say ""so"", he said"\n5" x,it is 6"\n'
    expect(await cellsOf(text)).toEqual([
      ['a', 'b'],
      ['1\n2\r\n3', 'say "so", he said'],
      ['5" x', 'it is 6"'],
    ])
  })

  test('has the row numbers of a spreadsheet: blank rows count, line breaks in quotes and sep lines do not', async () => {
    const text = 'sep=,\na,b\r\n"1\n1",x\n\n,,\r\r\n"",\n2,,\n'
    expect(await rowsOf(text, 'csv')).toMatchObject([
      { row: 1, cells: ['a', 'b'] },
      { row: 2, cells: ['1\n1', 'x'] },
      { row: 7, cells: ['2'] },
    ])
  })

  test.each([
    ['an unclosed quote', 'a,b\n1,2\n3,"4\n5,6\n', 'Row 3: a quotation mark is opened and never closed.'],
    ['a quote that stays open for too long', `a\n1\n"${'x\n'.repeat(2_500_000)}`, /^Row 3 is too long/],
    ['too many columns', `a\n${','.repeat(20_000)}x`, 'Row 2 has more than 16,384 columns.'],
    [
      'too many rows',
      `a\n${'\n'.repeat(1_048_576)}x`,
      'The file has more than 1,048,576 rows. Split it into smaller files.',
    ],
  ])('with %s is refused', async (_, text, message) => {
    const error = await rowsOf(text, 'csv').catch((thrown) => thrown)
    expect(error).toBeInstanceOf(TableError)
    expect(error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  })

  test('that is empty or blank has no rows', async () => {
    for (const text of ['', '\ufeff', '\n\n', ' , \n']) expect(await cellsOf(text)).toEqual([])
  })
})

const CELLS = (inside: string) => `<row r="1">${inside}</row>`

describe('an XLSX workbook', () => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="[Red]0.00&quot;days&quot;"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/></cellXfs></styleSheet>`

  test.each([
    ['a number', '<c><v>42</v></c>', '42'],
    ['a fraction', '<c><v>0.30000000000000004</v></c>', '0.3'],
    ['an exponent', '<c><v>1.5E-3</v></c>', '0.0015'],
    ['a whole number of 15 digits', '<c><v>123456789012345</v></c>', '123456789012345'],
    ['a truth', '<c t="b"><v>1</v></c>', 'TRUE'],
    ['an error', '<c t="e"><v>#N/A</v></c>', '#N/A'],
    ['the result of a formula', '<c t="str"><f>A1&amp;"x"</f><v>done &amp; x</v></c>', 'done & x'],
    ['the numeric result of a formula', '<c><f>1+1</f><v>2</v></c>', '2'],
    ['an inline text', '<c t="inlineStr"><is><t xml:space="preserve"> a b </t></is></c>', ' a b '],
    ['a rich inline text', '<c t="inlineStr"><is><r><rPr/><t>a</t></r><r><t>b</t></r></is></c>', 'ab'],
    ['a shared text', '<c t="s"><v>0</v></c>', 'Привіт'],
    ['a rich shared text without its reading aids', '<c t="s"><v>1</v></c>', 'one two'],
    ['escaped control characters', '<c t="s"><v>2</v></c>', 'a\r\nb_x000D_'],
    ['a date by a built-in style', '<c s="1"><v>45000</v></c>', '2023-03-15'],
    ['a date by a style of its own', '<c s="2"><v>61</v></c>', '1900-03-01'],
    ['the first day', '<c s="1"><v>1</v></c>', '1900-01-01'],
    ['a moment', '<c s="4"><v>45000.75</v></c>', '2023-03-15T18:00:00'],
    ['a time', '<c s="4"><v>0.5</v></c>', '12:00:00'],
    ['a number of days', '<c s="3"><v>45000</v></c>', '45000'],
    ['a written date', '<c t="d"><v>2023-03-15</v></c>', '2023-03-15'],
    ['CDATA', '<c t="inlineStr"><is><t><![CDATA[<b>]]></t></is></c>', '<b>'],
    ['a prefixed namespace', '<x:c t="inlineStr" xmlns:x="x"><x:is><x:t>far</x:t></x:is></x:c>', 'far'],
  ])('has %s', async (_, cell, text) => {
    const shared =
      '<sst><si><t>Привіт</t></si><si><r><t xml:space="preserve">one </t></r><r><t>two</t></r><rPh><t>no</t></rPh></si><si><t>a_x000D_\nb_x005F_x000D_</t></si></sst>'
    const bytes = await workbook(CELLS(cell), { 'xl/sharedStrings.xml': shared, 'xl/styles.xml': styles })
    expect(await cellsOf(bytes, 'xlsx')).toEqual([[text]])
  })

  test.each([
    ['[$-409]d mmm yyyy', '2023-03-15'],
    ['[h]:mm', '2023-03-15'],
    ['yyyy"d', '2023-03-15'],
    ['[Red]0.0', '45000'],
    ['0 "days"', '45000'],
    ['0\\d', '45000'],
    ['0_d*y', '45000'],
    ['0;yyyy', '45000'],
    ['General" m"', '45000'],
    [`[${'['.repeat(200)}d]0`, '45000'],
  ])('shows 45000 in the number format %s as %s', async (code, text) => {
    const written = code.replaceAll('"', '&quot;')
    const own = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${written}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`
    expect(await cellsOf(await workbook(CELLS('<c s="0"><v>45000</v></c>'), { 'xl/styles.xml': own }), 'xlsx')).toEqual(
      [[text]],
    )
  })

  test('counts days from 1904 if it declares so', async () => {
    const bytes = await workbook(CELLS('<c s="1"><v>0</v></c><c s="1"><v>43538</v></c>'), {
      'xl/styles.xml': styles,
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet r:id="rId1"/></sheets></workbook>',
    })
    expect(await cellsOf(bytes, 'xlsx')).toEqual([['1904-01-01', '2023-03-15']])
  })

  test('counts days from 1904 also if Excel added its own properties after those of the workbook', async () => {
    const bytes = await workbook(CELLS('<c s="1"><v>43538</v></c>'), {
      'xl/styles.xml': styles,
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet r:id="rId1"/></sheets><extLst><ext xmlns:x15="x"><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst></workbook>',
    })
    expect(await cellsOf(bytes, 'xlsx')).toEqual([['2023-03-15']])
  })

  test('does not use the number formats of conditional formats for its cells', async () => {
    const bytes = await workbook(CELLS('<c s="2"><v>45000</v></c>'), {
      'xl/styles.xml': styles.replace(
        '</styleSheet>',
        '<dxfs><dxf><numFmt numFmtId="164" formatCode="0.00"/></dxf></dxfs></styleSheet>',
      ),
    })
    expect(await cellsOf(bytes, 'xlsx')).toEqual([['2023-03-15']])
  })

  test.each([
    ['LE', (xml: string) => Buffer.from(xml, 'utf16le')],
    ['BE', utf16be],
  ])('is read if its files are UTF-16 %s', async (_, encode) => {
    const files = workbookFiles(CELLS('<c t="inlineStr"><is><t>Привіт 😀</t></is></c>'))
    const bytes = await zipped(files.map(([name, xml]) => [name, encode(`\ufeff${xml}`)]))
    expect(await cellsOf(bytes, 'xlsx')).toEqual([['Привіт 😀']])
  })

  test('has the right row numbers and columns, without blank ones', async () => {
    const rows = `<row r="2"><c r="B2"><v>1</v></c><c r="D2" s="1"/></row><row r="4"/><row><c><v>2</v></c></row><row r="1048576"><c r="XFD1048576"><v>3</v></c></row>`
    const read = await rowsOf(await workbook(rows), 'xlsx')
    expect(read.map(({ row, cells }) => [row, cells.length, cells.at(-1)])).toEqual([
      [2, 2, '1'],
      [5, 1, '2'],
      [1_048_576, 16_384, '3'],
    ])
  })

  test('is read from the first sheet of the workbook, wherever its file is', async () => {
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const bytes = await workbook('<row><c><v>1</v></c></row>', {
      'xl/workbook.xml':
        '<workbook xmlns:q="r"><sheets><sheet q:id="chart"/><sheet q:id="far"/><sheet q:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="chart" Type="${office}/chartsheet" Target="c.xml"/><Relationship Id="far" Type="${office}/worksheet" Target="../Other/Far.xml"/></Relationships>`,
      'other/far.xml': '<worksheet><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>',
    })
    expect(await cellsOf(bytes, 'xlsx')).toEqual([['7']])
  })

  test('is rejected if its first sheet is full and another one follows, as in a very large download', async () => {
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const relation = (id: number) =>
      `<Relationship Id="rId${id}" Type="${office}/worksheet" Target="worksheets/sheet${id}.xml"/>`
    const bytes = await workbook('<row r="1048576"><c><v>1</v></c></row>', {
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet r:id="rId1"/><sheet r:id="rId2"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': `<Relationships>${relation(1)}${relation(2)}</Relationships>`,
      'xl/worksheets/sheet2.xml': '<worksheet><sheetData><row><c><v>2</v></c></row></sheetData></worksheet>',
    })
    await expect(rowsOf(bytes, 'xlsx')).rejects.toThrow(
      'The file has more than 1,048,576 rows. Split it into smaller files.',
    )
  })

  test('of 20,000 rows is read in batches and order', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => [`${index}`, `Текст ${index} <&>`])
    expect(await cellsOf(await workbookOf(rows), 'xlsx')).toEqual(rows)
  })

  test('with many megabytes of shared texts, long and short, has each of them in its place', async () => {
    const texts = Array.from(
      { length: 3000 },
      (_, index) => `${index} ${'ї€😀a'.repeat(index % 50 === 0 ? 6500 : index % 7)}`,
    )
    const items = texts.map((text) => `<si><t>${text}</t></si>`)
    const places = texts.map((_, index) => (index * 7) % texts.length)
    const rows = places.map((place) => `<row><c t="s"><v>${place}</v></c></row>`)
    const bytes = await workbook(rows.join(''), { 'xl/sharedStrings.xml': `<sst>${items.join('')}</sst>` })
    // Compared as a whole: a difference between long texts takes minutes to print.
    expect((await cellsOf(bytes, 'xlsx')).every(([text], row) => text === texts[places[row] ?? 0])).toBe(true)
  })
})

describe('any table', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom(
      '',
      ' ',
      '"',
      '""',
      '\r',
      '\n',
      '\r\n',
      'a"b',
      '"a',
      ',',
      ';',
      '\t',
      '=1+1',
      "'x",
      '__proto__',
      'Привіт',
      '_x000D_',
    ),
  )
  const tables = fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { maxLength: 8 })
  /** The expected rows: no blank rows, and no trailing blank cells. */
  const wanted = (rows: string[][]) =>
    rows
      .map((cells) => cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1))
      .filter((cells) => cells.length > 0)

  test('written as CSV in any format is read back unchanged, like with another parser', async () => {
    const ways = fc.record({
      rows: tables,
      delimiter: fc.constantFrom(',', ';', '\t'),
      end: fc.constantFrom('\n', '\r\n', '\r'),
      quoted: fc.boolean(),
      mark: fc.constantFrom('', '\ufeff'),
      encode: fc.constantFrom(Buffer.from, (each: string) => Buffer.from(each, 'utf16le'), utf16be),
    })
    await fc.assert(
      fc.asyncProperty(ways, async ({ rows, delimiter, end, quoted, mark, encode }) => {
        const all = [['id', 'story'], ...rows]
        const options = { delimiter, record_delimiter: end, quoted, quoted_match: /[\r\n]/ }
        const written = stringify(all, options)
        const read = await cellsOf(encode(mark + written))
        expect(read).toEqual(wanted(all))
        expect(read).toEqual(wanted(parse(written, { delimiter, record_delimiter: end, relax_column_count: true })))
      }),
      { numRuns: 60 },
    )
  })

  test('written as a workbook is read back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (rows) => {
        expect(await cellsOf(await workbookOf(rows), 'xlsx')).toEqual(wanted(rows))
      }),
      { numRuns: 40 },
    )
  })
})
