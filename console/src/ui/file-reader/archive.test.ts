import { buffer } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { openArchive } from './archive.ts'
import { FileError } from './file-error.ts'
import { readTableFile } from './read-table-file.ts'

const TEXT = 'Привіт '.repeat(10_000)
const DAMAGED = 'The file is not a readable XLSX workbook.'
const TOO_LARGE = { reason: 'It is too large when unpacked.' }

async function zipped(files: Record<string, string>, { compress = true, forceZip64Format = false } = {}) {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { compress, forceZip64Format })
  zip.end({ forceZip64Format, comment: '' })
  return buffer(zip.outputStream)
}

async function read(bytes: Buffer, name: string) {
  const archive = await openArchive(new Blob([new Uint8Array(bytes)]))
  const chunks: Uint8Array[] = []
  for await (const chunk of archive.read(name)) chunks.push(chunk)
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
})

describe('an archive is rejected', () => {
  test.each([1_100_000_000, 0xffff_ffff])('if its sheets would unpack to %i bytes', async (size) => {
    const bytes = await zipped({ 'xl/worksheets/sheet1.xml': TEXT })
    bytes.writeUInt32LE(size, entryOf(bytes) + 24)
    await expect(read(bytes, 'a')).rejects.toMatchObject(TOO_LARGE)
  })

  test('if it contains too many files', async () => {
    const bytes = await zipped({ a: '' })
    const end = bytes.indexOf('PK\x05\x06')
    const entry = bytes.subarray(entryOf(bytes), end)
    bytes.writeUInt16LE(10_001, end + 10)
    const entries = Array.from({ length: 10_000 }, () => entry)
    const many = Buffer.concat([bytes.subarray(0, end), ...entries, bytes.subarray(end)])
    await expect(read(many, 'a')).rejects.toMatchObject(TOO_LARGE)
  })

  test('if its directory is not where it should be', async () => {
    const bytes = await zipped({ a: TEXT })
    await expect(read(bytes.subarray(1), 'a')).rejects.toThrow(DAMAGED)
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
        expect(error).toBeInstanceOf(FileError),
      )
    }),
    { numRuns: 300 },
  )
})
