import { buffer } from 'node:stream/consumers'
import { TableError } from '@watchdesk/contract/table-error'
import * as fc from 'fast-check'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { openArchive } from './archive.ts'
import { readTableFile } from './read-table-file.ts'

const TEXT = 'Привіт '.repeat(10_000)
const DAMAGED = 'The file is not a readable XLSX workbook.'

async function zipped(files: Record<string, string>, { compress = true, forceZip64Format = false } = {}) {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { compress, forceZip64Format })
  zip.end({ forceZip64Format, comment: '' })
  return buffer(zip.outputStream)
}

async function read(bytes: Buffer, name: string, isSheet = false) {
  const archive = await openArchive(new Blob([new Uint8Array(bytes)]))
  const chunks: Uint8Array[] = []
  for await (const chunk of archive.read(name, isSheet)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** The position of the first entry in the directory. */
const entryOf = (bytes: Buffer) => bytes.indexOf('PK\x01\x02')

describe('a file in an archive', () => {
  test.each([
    ['compressed', {}],
    ['stored', { compress: false }],
    ['compressed, in the 64-bit format', { forceZip64Format: true }],
  ])('is unpacked if it is %s, whatever the case of its name', async (_, options) => {
    const bytes = await zipped({ 'other.xml': 'other', 'xl/Sheet.xml': TEXT }, options)
    expect(await read(bytes, 'XL/sheet.xml')).toBe(TEXT)
  })

  test('is empty if it does not exist', async () => {
    expect(await read(await zipped({ a: TEXT }), 'b')).toBe('')
  })

  test.each([-1, 1])('is damaged if its declared size is wrong by %i', async (by) => {
    const bytes = await zipped({ a: TEXT })
    bytes.writeUInt32LE(Buffer.byteLength(TEXT) + by, entryOf(bytes) + 24)
    await expect(read(bytes, 'a')).rejects.toThrow(DAMAGED)
  })

  test('is rejected if it is encrypted', async () => {
    const bytes = await zipped({ a: TEXT })
    bytes.writeUInt16LE(1, entryOf(bytes) + 8)
    await expect(read(bytes, 'a')).rejects.toThrow('The workbook is protected by a password.')
  })

  test.each([
    ['a sheet', true, 1_100_000_000],
    ['a sheet', true, 0xffff_ffff],
    ['not a sheet', false, 140_000_000],
  ])('is rejected if it is %s (%s) and would unpack to %i bytes', async (_, isSheet, size) => {
    const bytes = await zipped({ a: TEXT })
    bytes.writeUInt32LE(size, entryOf(bytes) + 24)
    await expect(read(bytes, 'a', isSheet)).rejects.toMatchObject({
      message: 'It is too large when unpacked. Save it as CSV.',
    })
  })

  test('is unpacked even if another one, which is not needed, is too large', async () => {
    const bytes = await zipped({ 'xl/pivotCache/records1.xml': TEXT, a: TEXT })
    bytes.writeUInt32LE(1_100_000_000, entryOf(bytes) + 24)
    expect(await read(bytes, 'a')).toBe(TEXT)
  })

  test('is unpacked if its name has backslashes', async () => {
    const bytes = await zipped({ 'xl/Sheet.xml': TEXT })
    const name = 'xl\\Sheet.xml'
    bytes.write(name, bytes.indexOf('xl/'))
    bytes.write(name, bytes.indexOf('xl/'))
    expect(await read(bytes, 'xl/sheet.xml')).toBe(TEXT)
  })
})

describe('an archive is rejected', () => {
  test('if it contains too many files', async () => {
    const bytes = await zipped({ a: '' })
    const end = bytes.indexOf('PK\x05\x06')
    const entry = bytes.subarray(entryOf(bytes), end)
    bytes.writeUInt16LE(10_001, end + 10)
    const entries = Array.from({ length: 10_000 }, () => entry)
    const many = Buffer.concat([bytes.subarray(0, end), ...entries, bytes.subarray(end)])
    await expect(read(many, 'a')).rejects.toThrow('The workbook contains too many files. Save it as CSV.')
  })

  test('if its directory is not where it should be', async () => {
    const bytes = await zipped({ a: TEXT })
    await expect(read(bytes.subarray(1), 'a')).rejects.toThrow(DAMAGED)
  })
})

test('a workbook with values far to the right in many rows is rejected', async () => {
  const rows = '<row><c r="XFD1"><v>1</v></c></row>'.repeat(1_300)
  const bytes = await zipped({
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="a" Type="/worksheet" Target="a"/></Relationships>',
    'xl/a': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })
  const sink = { add: () => {}, count: () => 0 }
  await expect(readTableFile(new File([new Uint8Array(bytes)], 'a.xlsx'), () => sink)).rejects.toMatchObject({
    message: expect.stringContaining('more cells than can be read'),
  })
})

test('a workbook with any damage is read, or rejected with an error message', async () => {
  const rows = Array.from({ length: 40 }, (_, index) => [`https://t.me/${index}`, index, index % 2 === 0])
  const workbook = await writeXlsx({ sheets: [{ name: 'Sheet', rows }] })
  const damage = fc.array(fc.tuple(fc.nat(workbook.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(damage, async (changes) => {
      const bytes = new Uint8Array(workbook)
      for (const [at, byte] of changes) bytes[at] = byte
      const sink = { add: () => {}, count: () => 0 }
      await readTableFile(new File([bytes], 'a.xlsx'), () => sink).catch((error) =>
        expect(error).toBeInstanceOf(TableError),
      )
    }),
    { numRuns: 100 },
  )
})
