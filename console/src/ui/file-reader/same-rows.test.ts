import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileProblem } from '@watchdesk/contract/source-import'
import { sourceTableReader } from '@watchdesk/contract/source-table'
import { TableError } from '@watchdesk/contract/table-error'
import type { CellValue } from '@watchdesk/contract/xlsx/cell'
import { rowsOf } from '@watchdesk/server/adapters/tables/rows'
import { checkImport } from '@watchdesk/server/modules/source-import/check-import'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { readTableFile } from './read-table-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'watchdesk-same-rows-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Row = { row: number; cells: string[] }

async function onTheServer(bytes: Uint8Array) {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const rows: Row[] = []
  for await (const batch of rowsOf(path, 'csv')) rows.push(...batch)
  return rows.map(({ row, cells }) => ({ row, cells: cells.map(withLineFeeds) }))
}

/** Like the server, ignores blank rows, and blank cells at the end of a row. */
async function inTheBrowser(bytes: Uint8Array<ArrayBuffer>) {
  const rows: Row[] = []
  const add = (given: readonly CellValue[], row: number) => {
    const cells = given.map((cell) => withLineFeeds(String(cell)))
    const kept = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
    if (kept.length > 0) rows.push({ row, cells: kept })
  }
  await readTableFile(new File([bytes], 'file.csv'), () => ({ add, count: () => rows.length }))
  return rows
}

const withLineFeeds = (text: string) => text.replace(/\r\n?/g, '\n')

const character = fc.constantFrom(...'aЯ19 ,;\t"\'=\n\r|_x', 'sep=', '""', '_x000A_', '🇺🇦')
test('any CSV text, well-formed or not, gives the same rows on both sides, or an error on both', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: character, maxLength: 60 }), async (written) => {
      const bytes = new TextEncoder().encode(written)
      const [server, browser] = await Promise.allSettled([onTheServer(bytes), inTheBrowser(bytes)])
      expect(browser.status).toBe(server.status)
      if (server.status === 'fulfilled') expect(browser).toEqual(server)
    }),
    { numRuns: 200 },
  )
})

/** What the browser and the server answer about a source file: the number of its rows, or why it is refused. */
async function answersTo(name: string, content: Buffer) {
  const kind = name.endsWith('.csv') ? 'csv' : 'xlsx'
  const browser = readTableFile(new File([new Uint8Array(content)], name), () => sourceTableReader(kind, () => {}))
  return [
    await browser.then((reader) => reader.finish().count).catch(messageOf),
    await onTheServerAsSources(kind, content),
  ]
}

function messageOf(error: unknown) {
  if (!(error instanceof TableError)) throw error
  const { message, reason } = fileProblem(error)
  return [message, reason].filter(Boolean).join(' ')
}

let serial = 0
async function onTheServerAsSources(kind: 'csv' | 'xlsx', content: Buffer) {
  serial += 1
  const path = join(folder, `sources-${serial}`)
  writeFileSync(path, content)
  let answer: string | number | undefined
  for await (const part of checkImport({ path, kind }))
    if ('summary' in part) answer = part.summary.refusal?.detail ?? part.summary.rows
  return answer
}

/** A workbook with these rows. Its only shared string is empty. */
function workbook(rows: string) {
  const zip = new ZipFile()
  const add = (name: string, xml: string) => zip.addBuffer(Buffer.from(xml), name)
  const relation = (id: string, target: string) => `<Relationship Id="${id}" Type="/${id}" Target="${target}"/>`
  add('xl/workbook.xml', '<workbook xmlns:r="r"><sheets><sheet r:id="worksheet"/></sheets></workbook>')
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships>${relation('worksheet', 'sheet.xml')}${relation('sharedStrings', 'strings.xml')}</Relationships>`,
  )
  add('xl/sheet.xml', `<worksheet><sheetData>${rows}</sheetData></worksheet>`)
  add('xl/strings.xml', '<sst><si><t/></si></sst>')
  zip.end()
  return buffer(zip.outputStream)
}

const inline = (...texts: string[]) => texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
const EMPTY_NAME = 'XLSX contains empty column names.'
const NOT_TEXT = 'An error occurred while reading the file. The file does not contain text. Save it as CSV.'
const mismatch = (rows: string) => `Invalid file! Header values mismatch in rows: ${rows}.`
const HEADER = `<row>${inline('source_url', 'source_country')}</row>`
const A = inline('https://t.me/a')
const FORMATTED = '<c s="1"/>'
const FORMULA = '<c t="str"><f>""</f><v></v></c>'
const SHARED = '<c t="s"><v>0</v></c>'

describe('browser and server answer the same to', () => {
  test.each([
    ['an empty value too many in a CSV row', 'source_url,source_country\na,UA,\nb,UA\nc,,,\n', mismatch('2, 4')],
    ['a file .csv that is a picture', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\n"\0', NOT_TEXT],
    ['a file .csv that is a workbook', 'PK\x03\x04\x14\0\x06\0\x08\0', NOT_TEXT],
    ['a file .csv that is a legacy Office file', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', NOT_TEXT],
    ['a blank CSV row, however many separators it has', 'source_url,source_country\n,,,\na,UA\n', 1],
  ])('%s', async (_, text, answer) => {
    expect(await answersTo('a.csv', Buffer.from(text, 'latin1'))).toEqual([answer, answer])
  })

  test.each(['', '\0', 'more bytes'])('a workbook that is followed by %j', async (more) => {
    const bytes = Buffer.concat([await workbook(`${HEADER}<row>${A}</row>`), Buffer.from(more)])
    const damaged = expect.stringContaining('The file is not a readable XLSX workbook.')
    expect(await answersTo('a.xlsx', bytes)).toEqual(more === '' ? [1, 1] : [damaged, damaged])
  })

  test.each([
    ['an empty cell at the end of the header', `<row>${inline('source_url')}<c/></row><row>${A}</row>`, EMPTY_NAME],
    ['an empty text there', `<row>${inline('source_url', '')}</row><row>${A}</row>`, EMPTY_NAME],
    ['an empty shared text there', `<row>${inline('source_url')}${SHARED}</row><row>${A}</row>`, EMPTY_NAME],
    ['a cell there that is only formatted', `<row>${inline('source_url')}${FORMATTED}</row><row>${A}</row>`, 1],
    ['rows without a stored country', `${HEADER}<row>${A}</row><row spans="1:1">${A}${FORMATTED}</row>`, 2],
    [
      'a row without a value where other rows store empty ones',
      `${HEADER}<row>${A}</row><row>${inline('b', '')}</row><row>${A}${FORMATTED}</row><row>${inline('c', 'UA')}</row>`,
      mismatch('2, 4'),
    ],
    [
      'empty texts as spreadsheet programs store them, which do not store blank cells',
      `${HEADER}<row>${A}</row><row>${A}${SHARED}</row><row>${A}${FORMULA}</row>`,
      3,
    ],
  ])('a workbook with %s', async (_, rows, answer) => {
    expect(await answersTo('a.xlsx', await workbook(rows))).toEqual([answer, answer])
  })
})
