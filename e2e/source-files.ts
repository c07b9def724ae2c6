import { readFileSync } from 'node:fs'
import { inline, workbook, zip } from './workbooks.ts'

/** A file and its expected result: the records with their rows, or an error message. */
export type SourceFile = {
  name: string
  content: Buffer
  records?: Record<string, string | number | boolean>[]
  rows?: number[]
  /** The text under the records, or why there are none. */
  says?: string
}

const fixture = (name: string) => readFileSync(new URL(`fixtures/sources/${name}`, import.meta.url))
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const bigEndian = (text: string) => utf16(text).swap16()
/** Cyrillic in windows-1251. */
const windows1251 = (text: string) =>
  Buffer.from(
    [...text].map((letter) =>
      letter >= 'А' && letter <= 'я' ? letter.charCodeAt(0) - 0x350 : letter === 'ї' ? 0xbf : letter.charCodeAt(0),
    ),
  )

const A = { source_url: 'https://t.me/a', source_country: 'Україна' }
const B = { source_url: 'https://t.me/b', source_country: 'Польща' }
const TABLE = 'source_url,source_country\nhttps://t.me/a,Україна\nhttps://t.me/b,Польща\n'
const TWO = [A, B]
const FAILED = 'An error occurred while reading the file.'

const NO_NAME = 'contains empty column names.'
const NOT_TEXT = `${FAILED} The file does not contain text. Save it as CSV.`
const mismatch = (rows: string) => `Invalid file! Header values mismatch in rows: ${rows}.`

/** The records of the rows below the header, or why there are none; or with other rows, or with a text under them. */
type Expected = NonNullable<SourceFile['records']> | string | Omit<SourceFile, 'name' | 'content'>

function sourceFile(name: string, content: Buffer, expected: Expected): SourceFile {
  if (typeof expected === 'string') return { name, content, says: expected }
  if (!Array.isArray(expected)) return { name, content, ...expected }
  return { name, content, records: expected, rows: expected.map((_, index) => index + 2) }
}

const csv = (name: string, content: string | Buffer, expected: Expected) =>
  sourceFile(`${name}.csv`, Buffer.from(content), expected)

export const CSV_FILES: SourceFile[] = [
  csv('plain', TABLE, TWO),
  csv('windows line ends', TABLE.replaceAll('\n', '\r\n'), TWO),
  csv('old mac line ends', TABLE.replaceAll('\n', '\r'), TWO),
  csv('mixed line ends', 'source_url,source_country\r\nhttps://t.me/a,Україна\nhttps://t.me/b,Польща\r', TWO),
  csv('no last line end', TABLE.trimEnd(), TWO),
  csv('byte order mark', `\uFEFF${TABLE}`, TWO),
  csv('utf-16 little-endian', utf16(`\uFEFF${TABLE}`), TWO),
  csv('utf-16 big-endian', bigEndian(`\uFEFF${TABLE}`), TWO),
  csv('utf-16 little-endian without mark', utf16(TABLE), TWO),
  csv('utf-16 big-endian without mark', bigEndian(TABLE), TWO),
  csv('windows-1251', windows1251(TABLE), TWO),
  csv('semicolons', TABLE.replaceAll(',', ';'), TWO),
  csv('tabs', TABLE.replaceAll(',', '\t'), TWO),
  csv('sep line', `sep=;\r\n${TABLE.replaceAll(',', ';')}`, TWO),
  csv('sep line of another', `SEP=|\n${TABLE.replaceAll(',', '|')}`, TWO),
  csv('sep line after a mark', utf16(`\uFEFFsep=\t\n${TABLE.replaceAll(',', '\t')}`), TWO),
  sourceFile('UPPER CASE.CSV', Buffer.from(TABLE), TWO),
  csv('quoted', `"source_url","source_country"\n"https://t.me/a","Україна"\n"https://t.me/b","Польща"\n`, TWO),
  csv('commas in a quoted name', 'source_url;"a,b,c,d";source_country\nhttps://t.me/a;1;UA\n', [
    { source_url: 'https://t.me/a', 'a,b,c,d': '1', source_country: 'UA' },
  ]),
  csv(
    'line ends and quotes in cells',
    'source_url,note\nhttps://t.me/a,"two\r\nlines, ""quoted"""\nhttps://t.me/b,5" disk\n',
    [
      { source_url: 'https://t.me/a', note: 'two\nlines, "quoted"' },
      { source_url: 'https://t.me/b', note: '5" disk' },
    ],
  ),
  csv('blank lines', `\n\n${TABLE.replace('\n', '\n\n\n')}\n\n`, { records: [A, B], rows: [6, 7] }),
  csv(
    'rows of separators',
    'source_url,source_country\n,\n , \nhttps://t.me/a,Україна\n,,,\nhttps://t.me/b,Польща\n,\n',
    {
      records: [A, B],
      rows: [4, 6],
    },
  ),
  csv(
    'trailing blank columns',
    'source_url,source_country,,\nhttps://t.me/a,Україна,,\nhttps://t.me/b,Польща,,,,\n',
    `CSV ${NO_NAME}`,
  ),
  csv('empty cells', 'source_url,source_country,note\nhttps://t.me/a,, \nhttps://t.me/b,\u00a0,x\n', [
    { source_url: 'https://t.me/a' },
    { source_url: 'https://t.me/b', note: 'x' },
  ]),
  csv('names in another case', ' Source_URL ,SOURCE_COUNTRY\nhttps://t.me/a,UA\n', [
    { Source_URL: 'https://t.me/a', SOURCE_COUNTRY: 'UA' },
  ]),
  csv('one column', 'source_url\nhttps://t.me/a\nhttps://t.me/b\n', [
    { source_url: 'https://t.me/a' },
    { source_url: 'https://t.me/b' },
  ]),
  csv('no rows', 'source_url,source_country\n', {
    records: [],
    says: 'The file has no rows below its column names.',
  }),
  csv('the same name twice', 'source_url,note,Source_Url,note\nhttps://t.me/a,1,https://t.me/b,2\n', {
    records: [{ source_url: 'https://t.me/a', note: '1' }],
    rows: [2],
    says: 'More than one column is named note. Only the first is used.',
  }),
  csv('names of prototypes', 'source_url,__proto__,constructor,toString\nhttps://t.me/a,1,2,3\n', {
    records: [{ source_url: 'https://t.me/a', constructor: '2', toString: '3' } as never],
    rows: [2],
    says: 'The column __proto__ is ignored: that name is not allowed.',
  }),
  csv('characters beyond the first plane', 'source_url,note\nhttps://t.me/a,🇺🇦 𝒳\n', [
    { source_url: 'https://t.me/a', note: '🇺🇦 𝒳' },
  ]),
  csv('formulas', 'source_url,note\nhttps://t.me/a,=1+1\n', [{ source_url: 'https://t.me/a', note: '=1+1' }]),
  csv('no column of addresses', 'url,country\nhttps://t.me/a,UA\n', {
    records: [{ url: 'https://t.me/a', country: 'UA' }],
    says: 'The file has no column source_url.',
  }),

  csv('empty name', 'source_url,,source_country\nhttps://t.me/a,1,UA\n', `CSV ${NO_NAME}`),
  csv('empty first name', ';source_url\n1;https://t.me/a\n', `CSV ${NO_NAME}`),
  csv('empty last name over values', 'source_url,\nhttps://t.me/a,1\n', `CSV ${NO_NAME}`),
  csv('too few values', 'source_url,source_country\nhttps://t.me/a\nhttps://t.me/b,\n', mismatch('2')),
  csv('too many values', 'source_url\nhttps://t.me/a,UA\nhttps://t.me/b,\nhttps://t.me/c\n', mismatch('2, 3')),
  csv(
    'mismatches by the spreadsheet’s count',
    'sep=,\nsource_url,note\n\nhttps://t.me/a,"1\n2\n3"\nhttps://t.me/b\n\nx,y,z\n',
    mismatch('4, 6'),
  ),
  csv('twelve mismatches', `source_url,b\n${'x\n'.repeat(12)}`, mismatch('2, 3, 4, 5, 6, 7, 8, 9, 10, 11')),
  csv('nothing', '', `${FAILED} It is empty.`),
  csv('only blank lines', '\r\n\r\n', `${FAILED} It is empty.`),
  csv('not text', Buffer.from([1, 0, 0, 2, 0, 0, 3, 0, 0, 9]), NOT_TEXT),
  csv(
    'a quote never closed',
    'source_url,note\nhttps://t.me/a,1\nhttps://t.me/b,"2\nhttps://t.me/c,3\n',
    `${FAILED} Row 3: a quotation mark is opened and never closed.`,
  ),
  csv('text after a quote', 'source_url,note\n"https://t.me/a" x,1\n"https://t.me/b",2\n', [
    { source_url: 'https://t.me/a x', note: '1' },
    { source_url: 'https://t.me/b', note: '2' },
  ]),
  csv('a workbook', fixture('libreoffice.xlsx'), NOT_TEXT),
  { name: 'sources.txt', content: Buffer.from(TABLE), says: 'File must be of type csv or xlsx.' },
  { name: 'sources', content: Buffer.from(TABLE), says: 'File must be of type csv or xlsx.' },
  { name: 'libreoffice.xls', content: fixture('libreoffice.xls'), says: 'File must be of type csv or xlsx.' },
  { name: 'libreoffice.ods', content: fixture('libreoffice.ods'), says: 'File must be of type csv or xlsx.' },
]

/** Conversions of libreoffice.fods by LibreOffice. */
const LIBREOFFICE_ROWS = [2, 4, 5]
const libreOfficeRecords = (
  added: string,
  active: string | boolean,
  numbers: [string | number, string | number],
): SourceFile['records'] => [
  { source_url: 'https://t.me/news', source_country: 'Україна', added, active, followers: numbers[0] },
  { source_url: 'https://x.com/someone', followers: numbers[1] },
  { source_url: 'https://youtube.com/@a\nsecond line', source_country: '"Quoted", with; comma' },
]
const libreOffice = (name: string): SourceFile => ({
  name,
  content: fixture(name),
  records: name.endsWith('csv')
    ? libreOfficeRecords('2026-05-01', 'TRUE', ['1234.5', '2469'])
    : libreOfficeRecords('2026-05-01', true, [1234.5, 2469]),
  rows: LIBREOFFICE_ROWS,
})

/** Of a workbook, or of one with these rows. */
const xlsx = (name: string, content: string | Buffer, expected: Expected) =>
  sourceFile(`${name}.xlsx`, typeof content === 'string' ? workbook({ rows: content }) : content, expected)
const HEADER = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>`
const SHARED = ['<t>source_url</t>', '<t>source_country</t>', '<t>https://t.me/a</t>', '<t>Україна</t>']
const DAMAGED = `${FAILED} The file is not a readable XLSX workbook. Open it in a spreadsheet program and save it again as .xlsx.`
const NO_SHEET = `${FAILED} The workbook has no sheet with rows.`
const INLINE_HEADER = `<row>${inline('source_url', 'source_country')}</row>`
const cells = (row: number, ...values: string[]) =>
  `<row r="${row}">${values.map((value, index) => value.replace('<c', `<c r="${'ABCDEFG'[index]}${row}"`)).join('')}</row>`

export const XLSX_FILES: SourceFile[] = [
  libreOffice('libreoffice.xlsx'),
  libreOffice('libreoffice.csv'),
  libreOffice('libreoffice-quoted.csv'),
  libreOffice('libreoffice-utf-16.csv'),
  libreOffice('libreoffice-windows-1251.csv'),
  xlsx('libreoffice from csv', fixture('libreoffice-from-csv.xlsx'), {
    records: [{ source_url: 'https://t.me/a', source_country: 'UA' }, { source_url: 'https://t.me/b' }],
    rows: [2, 4],
  }),
  xlsx(
    'shared texts, rows left out',
    workbook({
      shared: SHARED,
      rows: `${HEADER}<row r="5"><c r="A5" t="s"><v>2</v></c><c r="B5" t="s"><v>3</v></c></row>`,
    }),
    { records: [A], rows: [5] },
  ),
  xlsx(
    'rich and phonetic texts',
    workbook({
      shared: [
        ...SHARED.slice(0, 2),
        '<r><rPr><b/></rPr><t>https://</t></r><r><t xml:space="preserve">t.me/a</t></r>',
        '<t>Україна</t><rPh sb="0" eb="1"><t>x</t></rPh>',
      ],
      rows: `${HEADER}<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>3</v></c></row>`,
    }),
    [A],
  ),
  xlsx('texts in place, no references', `${INLINE_HEADER}<row>${inline('https://t.me/a', 'Україна')}</row>`, [A]),
  xlsx(
    'formulas',
    `${INLINE_HEADER}${cells(2, '<c t="str"><f>"https://t.me/"&amp;"a"</f><v>https://t.me/a</v></c>', '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>')}${cells(3, '<c><f>1+1</f><v>2</v></c>', '<c t="b"><f>TRUE()</f><v>1</v></c>')}`,
    [
      { source_url: 'https://t.me/a', source_country: '#DIV/0!' },
      { source_url: 2, source_country: true },
    ],
  ),
  xlsx(
    'dates',
    `<row>${inline('source_url', 'day', 'moment', 'time', 'iso')}</row>${cells(2, inline('x'), '<c s="1"><v>46143</v></c>', '<c s="2"><v>46143.5625</v></c>', '<c s="3"><v>0.5625</v></c>', '<c t="d"><v>2026-05-01</v></c>')}`,
    [{ source_url: 'x', day: '2026-05-01', moment: '2026-05-01T13:30:00', time: '13:30:00', iso: '2026-05-01' }],
  ),
  xlsx(
    'dates since 1904',
    workbook({
      date1904: true,
      rows: `<row>${inline('source_url', 'day')}</row>${cells(2, inline('x'), '<c s="1"><v>44681</v></c>')}`,
    }),
    [{ source_url: 'x', day: '2026-05-01' }],
  ),
  xlsx(
    'colored blank cells',
    `<row>${inline('source_url')}<c s="4"/><c s="4"/></row><row>${inline('https://t.me/a')}<c s="4"/><c s="4"/><c s="4"/></row><row><c s="4"/><c s="4"/></row><row>${inline('https://t.me/b')}</row>`,
    { records: [{ source_url: 'https://t.me/a' }, { source_url: 'https://t.me/b' }], rows: [2, 4] },
  ),
  xlsx(
    'cells left out',
    `<row r="1">${'<c r="A1" t="inlineStr"><is><t>source_url</t></is></c><c r="B1" t="inlineStr"><is><t>x</t></is></c><c r="C1" t="inlineStr"><is><t>y</t></is></c>'}</row><row r="2"><c r="C2"><v>1</v></c></row><row r="3"><c r="A3" t="inlineStr"><is><t>https://t.me/a</t></is></c></row>`,
    [{ y: 1 }, { source_url: 'https://t.me/a' }],
  ),
  xlsx(
    'numbers and booleans',
    `<row>${inline('source_url', 'n', 'b')}</row><row>${inline('x')}<c><v>1E-3</v></c><c t="b"><v>0</v></c></row><row>${inline('y')}<c><v>0</v></c></row>`,
    [
      { source_url: 'x', n: 0.001, b: false },
      { source_url: 'y', n: 0 },
    ],
  ),
  xlsx('escapes', `<row>${inline('source_url')}</row><row>${inline('a_x000A_b &amp; &#x43A;')}</row>`, [
    { source_url: 'a\nb & к' },
  ]),
  xlsx(
    'entities of its own',
    `<!DOCTYPE x [<!ENTITY lol "lol">]><row>${inline('source_url')}</row><row>${inline('&lol;')}</row>`,
    DAMAGED,
  ),
  xlsx(
    'the first tab, whatever its file',
    workbook({
      sheets: [
        { name: 'First', file: 'sheet2.xml' },
        { name: 'Second', file: 'sheet1.xml' },
      ],
      others: [
        {
          name: 'xl/worksheets/sheet1.xml',
          content: '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>',
        },
      ],
      rows: `${INLINE_HEADER}<row>${inline('https://t.me/a', 'Україна')}</row>`,
    }),
    [A],
  ),
  xlsx(
    'prefixed names',
    `<x:row>${inline('source_url').replaceAll('<', '<x:').replaceAll('<x:/', '</x:')}</x:row><x:row><x:c><x:v>1</x:v></x:c></x:row>`,
    [{ source_url: 1 }],
  ),
  xlsx(
    'names of prototypes',
    `<row>${inline('source_url', '__proto__', 'constructor')}</row><row>${inline('x', 'y', 'z')}</row>`,
    {
      records: [{ source_url: 'x', constructor: 'z' } as never],
      rows: [2],
      says: 'The column __proto__ is ignored: that name is not allowed.',
    },
  ),

  xlsx(
    'empty name',
    `<row>${inline('source_url')}<c/>${inline('x')}</row><row>${inline('a')}</row>`,
    `XLSX ${NO_NAME}`,
  ),
  xlsx(
    'no name over the last column',
    `${INLINE_HEADER}<row>${inline('a', 'b', 'c')}</row><row>${inline('d', 'e', 'f')}</row>`,
    `XLSX ${NO_NAME}`,
  ),
  xlsx(
    'no name over the last column of twelve rows',
    INLINE_HEADER + `<row>${inline('a', 'b', 'c')}</row>`.repeat(12),
    `XLSX ${NO_NAME}`,
  ),
  xlsx('an empty last name', `<row>${inline('source_url')}<c/></row><row>${inline('a')}</row>`, `XLSX ${NO_NAME}`),
  xlsx(
    'too many values',
    `${INLINE_HEADER}<row/><row>${inline('a', 'b', 'c')}</row><row>${inline('a')}</row><row r="9">${inline('a', 'b', 'c')}</row>`,
    mismatch('3, 9'),
  ),
  xlsx('no rows at all', '', `${FAILED} It is empty.`),
  xlsx('a csv', Buffer.from(TABLE), `${FAILED} It has the extension .xlsx but is not an Excel workbook.`),
  xlsx(
    'an old workbook',
    fixture('libreoffice.xls'),
    `${FAILED} It is password-protected or an old .xls file. Save it as .xlsx without a password.`,
  ),
  xlsx('an open document', fixture('libreoffice.ods'), NO_SHEET),
  xlsx(
    'cut off',
    fixture('libreoffice.xlsx').subarray(0, 4000),
    `${FAILED} It has the extension .xlsx but is not an Excel workbook.`,
  ),
  xlsx('another archive', zip([{ name: 'readme.txt', content: 'Hello' }]), NO_SHEET),
  xlsx(
    'says that it unpacks to 3 GB',
    workbook({ shared: SHARED, rows: HEADER, claims: 3_000_000_000 }),
    `${FAILED} It is too large when unpacked. Save it as CSV.`,
  ),
  xlsx('says nothing of its size', workbook({ shared: SHARED, rows: HEADER, claims: 0 }), DAMAGED),
  xlsx(
    'unpacks to more than it says',
    workbook({ shared: [`<t>${' '.repeat(5_000_000)}</t>`], rows: HEADER, claims: 1000 }),
    DAMAGED,
  ),
  xlsx(
    'a row beyond the last',
    `${INLINE_HEADER}<row r="1048577">${inline('a')}</row>`,
    `${FAILED} The file has more than 1,048,576 rows. Split it into smaller files.`,
  ),
  xlsx(
    'a row of no number',
    `${INLINE_HEADER}<row r="x">${inline('a')}</row>`,
    `${FAILED} The workbook is damaged: row x comes after row 1. Open it in a spreadsheet program and save it again as .xlsx.`,
  ),
  xlsx(
    'a column beyond the last',
    `${INLINE_HEADER}<row r="2"><c r="XFE2"><v>1</v></c></row>`,
    `${FAILED} Row 2 has a cell outside the limits of a spreadsheet.`,
  ),
]
