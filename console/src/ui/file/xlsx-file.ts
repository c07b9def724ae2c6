import { neutralise } from '@watchdesk/contract/csv'

const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const SCHEMAS = 'http://schemas.openxmlformats.org'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** A workbook with one worksheet of texts, for tables that exist only in the browser. Formulas are neutralised. */
export function xlsxFile(rows: readonly (readonly string[])[]): Blob {
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${SCHEMAS}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${SCHEMAS}/spreadsheetml/2006/main" xmlns:r="${SCHEMAS}/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SCHEMAS}/spreadsheetml/2006/main"><sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`,
  }
  const files = Object.entries(parts).map(([path, xml]) => ({ path, bytes: new TextEncoder().encode(XML + xml) }))
  return new Blob(zipped(files), { type: `${TYPES}.sheet` })
}

function relation(type: string, target: string) {
  return `<Relationships xmlns="${SCHEMAS}/package/2006/relationships"><Relationship Id="rId1" Type="${SCHEMAS}/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`
}

function rowXml(cells: readonly string[], index: number) {
  const xml = cells.map((cell, column) => {
    const name = `${String.fromCharCode(65 + column)}${index + 1}`
    return `<c r="${name}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  })
  return `<row r="${index + 1}">${xml.join('')}</row>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

function escaped(cell: string) {
  return (
    neutralise(cell)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot contain them
      .replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
      // Text that would be read as an escaped character.
      .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
      .replace(/[&<>\r]/g, (character) => ENTITIES[character] ?? '')
  )
}

type File = { path: string; bytes: Uint8Array<ArrayBuffer> }

/** A ZIP archive without compression. */
function zipped(files: File[]) {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { path, bytes } of files) {
    const name = new TextEncoder().encode(path)
    // Version, flags (UTF-8 names), method, time and date (1980-01-01), checksum, and both sizes.
    const common = [20, 0x800, 0, 0, 0x21].map(short)
    const facts = [...common, int(crc32(bytes)), int(bytes.length), int(bytes.length), short(name.length), short(0)]
    const local = joined([int(0x04034b50), ...facts, name])
    directory.push(
      joined([int(0x02014b50), short(20), ...facts, short(0), short(0), short(0), int(0), int(offset), name]),
    )
    parts.push(local, bytes)
    offset += local.length + bytes.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = short(files.length)
  const end = [int(0x06054b50), short(0), short(0), count, count, int(size), int(offset), short(0)]
  return [...parts, ...directory, joined(end)]
}

function short(number: number) {
  return Uint8Array.of(number & 255, number >>> 8)
}

function int(number: number) {
  return Uint8Array.of(number & 255, (number >>> 8) & 255, (number >>> 16) & 255, number >>> 24)
}

function joined(parts: Uint8Array[]) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function crc32(bytes: Uint8Array) {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
