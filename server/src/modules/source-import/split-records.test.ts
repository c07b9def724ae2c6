import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRecordSplitter } from './split-records.ts'

function split(pieces: string[]) {
  const splitter = createRecordSplitter()
  const sheet_records = pieces.flatMap((piece) => [...splitter.write(piece)].flat())
  return { records: sheet_records, body: splitter.end() }
}

test('any body, split into any chunks, is parsed like the whole', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab "\\[]{},:їsheet_records') })
  const record = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean()), { maxKeys: 4 })
  const records = fc.oneof(fc.constant(null), fc.array(record, { maxLength: 6 }))
  const property = fc.property(
    text,
    records,
    text,
    fc.integer({ min: 1, max: 20 }),
    (before, sheet_records, url, size) => {
      const body = { [`x${before}`]: before, sheet_records, sheet_url: url }
      const pieces = JSON.stringify(body).match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(split(pieces)).toEqual({
        records: sheet_records ?? [],
        body: { ...body, sheet_records: sheet_records && [] },
      })
    },
  )
  fc.assert(property, { numRuns: Number(process.env.FUZZ_RUNS ?? 500) })
})

test.each(['"",', '"a":1,', '"a":"b",', '[],', '{},', '"\\\\",', ':', ','])(
  'a body of nothing but %s is refused at once',
  (filling) => {
    expect(() => split([`{${filling.repeat(1_000_000 / filling.length)}`])).toThrow()
  },
)

describe('a record with the maximum number of columns', () => {
  const recordOf = (columns: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: columns }, (_, n) => [`c,${n}`, '{,}'])))
  const bodyOf = (...records: string[]) => `{"sheet_records":[${records.join(',')}]}`.split(/(?=:)/)

  test('is accepted, also after other records', () => {
    const { records } = split(bodyOf(recordOf(16_384), '{}', recordOf(16_384)))
    expect(records.map((record) => Object.keys(Object(record)).length)).toEqual([16_384, 0, 16_384])
  })

  test.each([
    ['one more', [recordOf(16_384), recordOf(16_385)]],
    ['one name again and again', [`{${'"a":1,'.repeat(16_384)}"a":1}`]],
    ['as many inside a cell', [`{"a":[[${'1,'.repeat(16_384)}1]]}`]],
  ])('and one of %s is refused', (_, records) => {
    expect(() => split(bodyOf(...records))).toThrow(
      'A row has more than 16,384 columns. Remove the columns that you do not need.',
    )
  })
})
