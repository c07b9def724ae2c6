import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`

const relations = (inside: string) => `<Relationships xmlns="${PACKAGE}">${inside}</Relationships>`

/** The files of a workbook with one sheet of the given XML; each can be replaced or left out. */
export function workbookFiles(sheetData: string, more: Record<string, string | undefined> = {}) {
  const files = {
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation('rId1', 'worksheet', 'worksheets/sheet1.xml') +
        relation('rId2', 'sharedStrings', 'sharedStrings.xml') +
        relation('rId3', 'styles', '/xl/styles.xml'),
    ),
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet xmlns="${MAIN}"><sheetData>${sheetData}</sheetData></worksheet>`,
    ...more,
  }
  return Object.entries(files).filter((file): file is [string, string] => file[1] !== undefined)
}

/** Creates a zip archive of the given texts or bytes. */
export async function zipped(files: [name: string, content: string | Buffer][], compress = true) {
  const zip = new ZipFile()
  for (const [name, content] of files) zip.addBuffer(Buffer.from(content), name, { compress })
  zip.end()
  return buffer(zip.outputStream)
}

export function workbook(sheetData: string, more: Record<string, string | undefined> = {}) {
  return zipped(workbookFiles(sheetData, more))
}

const escaped = (text: string) =>
  text
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that XML cannot contain
    .replace(/[\0-\x08\x0b-\x1f]|_(?=x[\da-fA-F]{4}_)/g, (character) => `_x${hex(character)}_`)

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()

/** A workbook with these rows as inline strings. */
export function workbookOf(rows: string[][]) {
  const cell = (text: string) => `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
  return workbook(rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join(''))
}
