import { PassThrough, Readable } from 'node:stream'
import { neutralise } from '@watchdesk/contract/csv'
import { ZipFile } from 'yazl'
import { writable } from '../../db/writable.ts'
import type { NextRows } from './write-csv.ts'

/** Few enough that other calls hardly notice how long it takes to write them. */
const BATCH = 250
const ROWS_OF_A_WORKSHEET = 1_048_576
export const COLUMNS_OF_A_WORKSHEET = 16_384
/** Stored sheets have the same limit, so that they can be downloaded in both formats. */
export const CELL_CHARACTERS = 32_767

/** More digits would be rounded by spreadsheet programs. */
const NUMBER = /^-?\d{1,15}$/

/** Rows that do not fit continue on further worksheets. Cells are text, except those of the columns in `numbers`. */
export function xlsxOf(header: string[], rowCount: number, next: NextRows, numbers: readonly number[] = []): Readable {
  const zip = new ZipFile()
  const count = Math.max(1, Math.ceil(rowCount / (ROWS_OF_A_WORKSHEET - 1)))
  const names = Array.from({ length: count }, (_, index) => `Sheet${index + 1}`)
  for (const [path, xml] of Object.entries(partsOf(names))) zip.addBuffer(Buffer.from(xml), path)

  const output = new PassThrough()
  for (const name of names) {
    zip.addReadStreamLazy(`xl/worksheets/${name.toLowerCase()}.xml`, (give) => {
      // yazl does not notice when its output stream is destroyed, so the rows must be stopped here.
      if (output.destroyed) return
      const rows = Readable.from(worksheetXml(header, next, numbers), { objectMode: false })
      output.once('close', () => rows.destroy())
      rows.once('error', (error) => output.destroy(error))
      give(null, rows)
    })
  }
  zip.end()
  zip.outputStream.pipe(output)
  return output
}

async function* worksheetXml(header: string[], next: NextRows, numbers: readonly number[]) {
  yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
  yield rowXml(1, header, [])
  let number = 1
  while (number < ROWS_OF_A_WORKSHEET) {
    const rows = await next(Math.min(BATCH, ROWS_OF_A_WORKSHEET - number))
    if (rows.length === 0) break
    yield rows.map(({ cells }, index) => rowXml(number + 1 + index, cells, numbers)).join('')
    number += rows.length
  }
  yield '</sheetData></worksheet>'
}

function rowXml(number: number, cells: string[], numbers: readonly number[]) {
  let xml = `<row r="${number}">`
  cells.forEach((cell, index) => {
    if (cell === '') return
    const place = `${columnName(index)}${number}`
    if (numbers.includes(index) && NUMBER.test(cell)) xml += `<c r="${place}"><v>${cell}</v></c>`
    else xml += `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  })
  return `${xml}</row>`
}

/** 0 is A, 25 is Z, 26 is AA. */
export function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last
}

export function cutCell(text: string, most = CELL_CHARACTERS) {
  if (text.length <= most) return text
  const note = `… (cut: ${text.length.toLocaleString('en')} characters in all)`
  return `${text.slice(0, most - note.length).replace(/[\ud800-\udbff]$/, '')}${note}`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

function escaped(cell: string) {
  const text = cutCell(neutralise(writable(cell)))
  // Escapes text that would be read as an escaped character.
  return text.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_').replace(/[&<>\r]/g, (character) => ENTITIES[character] ?? '')
}

const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

function partsOf(names: string[]): Record<string, string> {
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  const each = (write: (name: string, number: number) => string) => names.map((name, i) => write(name, i + 1)).join('')
  return {
    '[Content_Types].xml': `${head}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>${each((name) => `<Override PartName="/xl/worksheets/${name.toLowerCase()}.xml" ContentType="${TYPES}.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATIONS}"><sheets>${each((name, number) => `<sheet name="${name}" sheetId="${number}" r:id="rId${number}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${PACKAGE}/relationships">${each((name, number) => `<Relationship Id="rId${number}" Type="${RELATIONS}/worksheet" Target="worksheets/${name.toLowerCase()}.xml"/>`)}</Relationships>`,
  }
}
