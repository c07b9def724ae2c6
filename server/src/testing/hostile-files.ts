import { randomBytes } from 'node:crypto'
import { workbook, workbookFiles, zipped } from './workbook.ts'

const NAMES = ['narrative_id', 'message_composite_id', 'story', 'sentiment_score']
const HEADER = `<row>${NAMES.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')}</row>`
const LAUGHS = `<!DOCTYPE lolz [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, index) => {
  const letter = String.fromCharCode(98 + index)
  return `<!ENTITY ${letter} "&${String.fromCharCode(97 + index)};&${String.fromCharCode(97 + index)};">`
}).join('')}]>`

/** A file that a parser without limits would choke on, under the name that it is sent with. */
export const HOSTILE_FILES: Record<string, () => Promise<[name: string, bytes: Buffer]>> = {
  'a sheet that unpacks to a thousand times its size': xlsx(HEADER + ' '.repeat(60_000_000)),
  'a sheet that unpacks to more than it declares': async () => ['a.xlsx', lying(await workbook(HEADER + ROWS(50_000)))],
  'rows whose only cell is in the last column': xlsx(HEADER + '<row><c r="XFD1"><v>1</v></c></row>'.repeat(20_000)),
  'one cell in the last row and column': xlsx(`${HEADER}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`),
  'six million shared texts': xlsx(HEADER, {
    'xl/sharedStrings.xml': `<sst>${'<si><t/></si>'.repeat(6_000_000)}</sst>`,
  }),
  'one long shared text in 60,000 cells': xlsx(HEADER + SHARED_ROWS(20_000), {
    'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(32_767)}</t></si></sst>`,
  }),
  'entities that multiply in the sheet': xlsx('', {
    'xl/worksheets/sheet1.xml': `${LAUGHS}<worksheet><sheetData><row><c t="inlineStr"><is><t>&u;</t></is></c></row></sheetData></worksheet>`,
  }),
  'entities that multiply in the shared texts': xlsx(HEADER, {
    'xl/sharedStrings.xml': `${LAUGHS}<sst><si><t>&u;</t></si></sst>`,
  }),
  'an entity of a file': xlsx('', {
    'xl/worksheets/sheet1.xml':
      '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="str"><v>&x;</v></c></row></sheetData></worksheet>',
  }),
  'a document type that never ends': xlsx('', { 'xl/worksheets/sheet1.xml': `<!DOCTYPE ${'x '.repeat(2_000_000)}` }),
  'elements in elements in elements': xlsx(HEADER + '<a>'.repeat(500_000)),
  '20,000 files': async () => [
    'a.xlsx',
    await zipped(
      [...workbookFiles(HEADER), ...Array.from({ length: 20_000 }, (_, index): [string, string] => [`x${index}`, ''])],
      false,
    ),
  ],
  'one text of 8 MB': xlsx(`${HEADER}<row><c t="inlineStr"><is><t>${'x'.repeat(8_000_000)}</t></is></c></row>`),
  'an attribute of 8 MB': xlsx(`${HEADER}<row r="${'1'.repeat(8_000_000)}"/>`),
  'a comment of 8 MB': xlsx(`${HEADER}<!--${'x'.repeat(8_000_000)}-->`),
  'a million cells in a row': xlsx(`${HEADER}<row>${'<c/>'.repeat(1_000_000)}</row>`),
  'a format that takes a long time to match': xlsx(`${HEADER}<row><c s="0"><v>1</v></c></row>`, {
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(900_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
  }),
  'four million elements that are no cells, packed no tighter than may be': () =>
    xlsx(HEADER + LOOSE('<a/>', 4_000_000))(),
  'four million cells without a value': () => xlsx(`${HEADER}<row>${LOOSE('<c r="A2"/>', 4_000_000)}</row>`)(),
  'four million elements among the shared texts': () =>
    xlsx(HEADER, { 'xl/sharedStrings.xml': `<sst>${LOOSE('<a/>', 4_000_000)}</sst>` })(),
  'rows that go backwards': xlsx(`${HEADER}<row r="9"/><row r="3"/>`),
  'a row far beyond the last': xlsx(`${HEADER}<row r="99999999999"><c><v>1</v></c></row>`),
  'a shared text that is not there': xlsx(`${HEADER}<row><c t="s"><v>1e9</v></c></row>`),
  'names that climb out of the folder': async () => {
    const zip = await zipped([...workbookFiles(HEADER), ['aa/aa/etc/cron.d/x', 'x']])
    return ['a.xlsx', replaced(zip, 'aa/aa/etc', '../../etc')]
  },
  'files that lie upon each other': async () => ['a.xlsx', overlapping(await workbook(HEADER + ROWS(2)))],
  'encrypted files': async () => ['a.xlsx', encrypted(await workbook(HEADER))],
  'half a workbook': async () => ['a.xlsx', (await workbook(HEADER + ROWS(1000))).subarray(0, -300)],
  'noise that begins like a workbook': async () => [
    'a.xlsx',
    Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(100_000)]),
  ],
  'bytes that are no XML': xlsx('', { 'xl/worksheets/sheet1.xml': randomBytes(50_000).toString('latin1') }),
  'a quote that never closes': csv(`${NAMES.join(',')}\n1,m,"${'x\n'.repeat(15_000_000)}`),
  'a million columns': csv('a,'.repeat(1_000_000)),
  'a line without an end': csv('x'.repeat(30_000_000)),
  'more blank lines than a sheet has rows': csv(`${NAMES.join(',')}\n${'\n'.repeat(1_100_000)}`),
  'nothing but quotes': csv('"'.repeat(5_000_001)),
}

function ROWS(count: number) {
  return '<row><c><v>1</v></c></row>'.repeat(count)
}

/** With so much noise between them that the file does not unfold too far. */
function LOOSE(element: string, count: number) {
  const each = 20_000
  const noise = () => `<!--${randomBytes((element.length * each) / 190).toString('base64')}-->`
  return Array.from({ length: count / each }, () => element.repeat(each) + noise()).join('')
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

/** The places of the central directory's entries, the last of which is the sheet's. */
function entriesOf(zip: Buffer) {
  const places: number[] = []
  for (let at = zip.indexOf(CENTRAL); at !== -1; at = zip.indexOf(CENTRAL, at + 1)) places.push(at)
  return places
}

function lying(zip: Buffer) {
  zip.writeUInt32LE(100, (entriesOf(zip).at(-1) ?? 0) + 24)
  return zip
}

/** Every entry is the one local file. */
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
