import { randomBytes } from 'node:crypto'
import { workbook, workbookFiles, zipped } from './workbook.ts'

const NAMES = ['narrative_id', 'message_composite_id', 'story', 'sentiment_score']
const HEADER = `<row>${NAMES.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')}</row>`
const LAUGHS = `<!DOCTYPE lolz [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, index) => {
  const letter = String.fromCharCode(98 + index)
  return `<!ENTITY ${letter} "&${String.fromCharCode(97 + index)};&${String.fromCharCode(97 + index)};">`
}).join('')}]>`

export type Files = Record<string, () => Promise<[name: string, bytes: Buffer]>>

/** Files that would overwhelm a parser without limits, by what is in them: one for each kind of limit. */
export const HOSTILE_FILES: Files = {
  'entities that multiply in the sheet': xlsx('', {
    'xl/worksheets/sheet1.xml': `${LAUGHS}<worksheet><sheetData><row><c t="inlineStr"><is><t>&u;</t></is></c></row></sheetData></worksheet>`,
  }),
  'an entity of a file': xlsx('', {
    'xl/worksheets/sheet1.xml':
      '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="str"><v>&x;</v></c></row></sheetData></worksheet>',
  }),
  'one text of 8 MB': xlsx(`${HEADER}<row><c t="inlineStr"><is><t>${'x'.repeat(8_000_000)}</t></is></c></row>`),
  'a million cells in a row': xlsx(`${HEADER}<row>${'<c/>'.repeat(1_000_000)}</row>`),
  'names that climb out of the folder': async () => {
    const zip = await zipped([...workbookFiles(HEADER), ['aa/aa/etc/cron.d/x', 'x']])
    return ['a.xlsx', replaced(zip, 'aa/aa/etc', '../../etc')]
  },
  'files that lie upon each other': async () => ['a.xlsx', overlapping(await workbook(HEADER + ROWS(2)))],
  'encrypted files': async () => ['a.xlsx', encrypted(await workbook(HEADER))],
  'half a workbook': async () => ['a.xlsx', (await workbook(HEADER + ROWS(1000))).subarray(0, -300)],
}

/** The rest of them, for the complete suite. */
export const MORE_HOSTILE_FILES: Files = {
  'one cell in the last row and column': xlsx(`${HEADER}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`),
  'entities that multiply in the shared texts': xlsx(HEADER, {
    'xl/sharedStrings.xml': `${LAUGHS}<sst><si><t>&u;</t></si></sst>`,
  }),
  'a document type that never ends': xlsx('', { 'xl/worksheets/sheet1.xml': `<!DOCTYPE ${'x '.repeat(2_000_000)}` }),
  'elements in elements in elements': xlsx(HEADER + '<a>'.repeat(500_000)),
  'an attribute of 8 MB': xlsx(`${HEADER}<row r="${'1'.repeat(8_000_000)}"/>`),
  'a comment of 8 MB': xlsx(`${HEADER}<!--${'x'.repeat(8_000_000)}-->`),
  'a format that takes a long time to match': xlsx(`${HEADER}<row><c s="0"><v>1</v></c></row>`, {
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(900_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
  }),
  'rows that go backwards': xlsx(`${HEADER}<row r="9"/><row r="3"/>`),
  'a row far beyond the last': xlsx(`${HEADER}<row r="99999999999"><c><v>1</v></c></row>`),
  'a shared text that is not there': xlsx(`${HEADER}<row><c t="s"><v>1e9</v></c></row>`),
  'noise that begins like a workbook': async () => [
    'a.xlsx',
    Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(100_000)]),
  ],
  'bytes that are no XML': xlsx('', { 'xl/worksheets/sheet1.xml': randomBytes(50_000).toString('latin1') }),
  'more blank lines than a sheet has rows': csv(`${NAMES.join(',')}\n${'\n'.repeat(1_100_000)}`),
  'a sheet that unpacks to a thousand times its size': xlsx(HEADER + ' '.repeat(60_000_000)),
  'a sheet that unpacks to more than it declares': async () => ['a.xlsx', lying(await workbook(HEADER + ROWS(50_000)))],
  'rows whose only cell is in the last column': xlsx(HEADER + '<row><c r="XFD1"><v>1</v></c></row>'.repeat(20_000)),
  'five million shared texts, packed no tighter than may be': () =>
    xlsx(HEADER, { 'xl/sharedStrings.xml': `<sst>${LOOSE('<si><t/></si>', 4_900_000)}</sst>` })(),
  'two million shared texts that keep their spaces': () =>
    xlsx(HEADER, {
      'xl/sharedStrings.xml': `<sst>${LOOSE('<si><t xml:space="preserve"> </t></si>', 2_000_000)}</sst>`,
    })(),
  'a million shared texts of nine runs each': () =>
    xlsx(HEADER, {
      'xl/sharedStrings.xml': `<sst>${LOOSE(`<si>${'<r><t>x</t></r>'.repeat(9)}</si>`, 1_000_000)}</sst>`,
    })(),
  'one long shared text in 60,000 cells': xlsx(HEADER + SHARED_ROWS(20_000), {
    'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(32_767)}</t></si></sst>`,
  }),
  '20,000 files': async () => [
    'a.xlsx',
    await zipped(
      [...workbookFiles(HEADER), ...Array.from({ length: 20_000 }, (_, index): [string, string] => [`x${index}`, ''])],
      false,
    ),
  ],
  'long attributes that unpack to a thousand times their size': () =>
    xlsx(HEADER + `<x a="${'y'.repeat(900_000)}"/>`.repeat(112))(),
  'styles that share one long number format': () =>
    xlsx(HEADER + BAD_ROW, {
      'xl/styles.xml': STYLES(`<numFmt numFmtId="200" formatCode="${'['.repeat(900_000)}"/>`),
    })(),
  'more number formats than a program can write': () =>
    xlsx(HEADER, {
      'xl/styles.xml': STYLES(LOOSE((index) => `<numFmt numFmtId="${index}" formatCode="0"/>`, 1_000_000)),
    })(),
  'number formats with brackets and quotes that never close': () =>
    xlsx(HEADER + BAD_ROW, {
      'xl/styles.xml': STYLES(
        LOOSE((index) => `<numFmt numFmtId="${200 + index}" formatCode="${'[&quot;'.repeat(127)}"/>`, 9_000),
        9_000,
      ),
    })(),
  'number formats of one number, with brackets that never close': () =>
    xlsx(HEADER + BAD_ROW, {
      'xl/styles.xml': STYLES(LOOSE(`<numFmt numFmtId="200" formatCode="${'['.repeat(255)}"/>`, 150_000)),
    })(),
  'cells that refer to the first shared text and the last in turn': () => xlsx(...LEAPING([0, SHARED_TEXTS - 1]))(),
  'cells that refer to shared texts in leaps': () =>
    xlsx(...LEAPING(Array.from({ length: 1000 }, (_, index) => (index * 7919) % SHARED_TEXTS)))(),
  'four million elements that are no cells, packed no tighter than may be': () =>
    xlsx(HEADER + LOOSE('<a/>', 4_000_000))(),
  'four million cells without a value': () => xlsx(`${HEADER}<row>${LOOSE('<c r="A2"/>', 4_000_000)}</row>`)(),
  'four million elements among the shared texts': () =>
    xlsx(HEADER, { 'xl/sharedStrings.xml': `<sst>${LOOSE('<a/>', 4_000_000)}</sst>` })(),
  'a quote that never closes': csv(`${NAMES.join(',')}\n1,m,"${'x\n'.repeat(15_000_000)}`),
  'a million columns': csv('a,'.repeat(1_000_000)),
  'a line without an end': csv('x'.repeat(30_000_000)),
  'a narrative for each of 900,000 rows': () =>
    csv([NAMES.join(','), ...Array.from({ length: 900_000 }, (_, index) => `${index + 1},m,s,`)].join('\n'))(),
  'nothing but quotes': csv('"'.repeat(5_000_001)),
}

function ROWS(count: number) {
  return '<row><c><v>1</v></c></row>'.repeat(count)
}

/** With enough random data in between to stay below the compression ratio limit. */
function LOOSE(element: string | ((index: number) => string), count: number) {
  const parts: string[] = []
  let length = 0
  for (let index = 0; index < count; index += 1) {
    const part = typeof element === 'string' ? element : element(index)
    parts.push(part)
    length += part.length
    if (length > 200_000 || index === count - 1) {
      parts.push(`<!--${randomBytes(length / 190).toString('base64')}-->`)
      length = 0
    }
  }
  return parts.join('')
}

const BAD_ROW = '<row><c s="0"><v>1</v></c></row>'

function STYLES(formats: string, count = 1) {
  const styles = LOOSE((index) => `<xf numFmtId="${200 + (index % count)}"/>`, 95_000)
  return `<styleSheet><numFmts>${formats}</numFmts><cellXfs>${styles}</cellXfs></styleSheet>`
}

const SHARED_TEXTS = 80_000

/** 16 MB of shared strings, and 300,000 cells that reference these of them repeatedly. */
function LEAPING(indexes: number[]): [string, Record<string, string>] {
  const cells = indexes.map((index) => `<c t="s"><v>${index}</v></c>`)
  const row = (index: number) => {
    const some = Array.from({ length: 4 }, (_, step) => cells[(index * 4 + step) % cells.length])
    return `<row>${some.join('')}</row>`
  }
  const texts = LOOSE(`<si><t>${'x'.repeat(200)}</t></si>`, SHARED_TEXTS)
  return [HEADER + LOOSE(row, 75_000), { 'xl/sharedStrings.xml': `<sst>${texts}</sst>` }]
}

function SHARED_ROWS(count: number) {
  return `<row><c><v>1</v></c>${'<c t="s"><v>0</v></c>'.repeat(3)}</row>`.repeat(count)
}

function xlsx(sheetData: string, more: Record<string, string> = {}) {
  return async (): Promise<[string, Buffer]> => ['a.xlsx', await workbook(sheetData, more)]
}

function csv(text: string) {
  return async (): Promise<[string, Buffer]> => ['a.csv', Buffer.from(text)]
}

function replaced(zip: Buffer, from: string, to: string) {
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')
}

const CENTRAL = Buffer.from('PK\x01\x02')

/** Offsets of the central directory entries; the last one is the sheet. */
function entriesOf(zip: Buffer) {
  const places: number[] = []
  for (let at = zip.indexOf(CENTRAL); at !== -1; at = zip.indexOf(CENTRAL, at + 1)) places.push(at)
  return places
}

function lying(zip: Buffer) {
  zip.writeUInt32LE(100, (entriesOf(zip).at(-1) ?? 0) + 24)
  return zip
}

/** Every entry points to the same local file. */
function overlapping(zip: Buffer) {
  const places = entriesOf(zip)
  const sheet = zip.subarray(places.at(-1), (places.at(-1) ?? 0) + 46)
  for (const at of places) {
    sheet.copy(zip, at + 10, 10, 28)
    sheet.copy(zip, at + 42, 42, 46)
  }
  return zip
}

function encrypted(zip: Buffer) {
  for (const at of entriesOf(zip)) zip.writeUInt16LE(zip.readUInt16LE(at + 8) | 1, at + 8)
  return zip
}
