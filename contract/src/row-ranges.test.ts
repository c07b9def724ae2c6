import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRowRanges, writeRowRanges } from './row-ranges.ts'

test.each([
  [[2, 3, 4], '2-4'],
  [[2, 3, 5, 7, 8], '2-3,5,7-8'],
  [[9], '9'],
])('the rows %j are written as %s', (numbers, text) => {
  expect(writeRowRanges(numbers)).toBe(text)
})

test('any row numbers are read as they were written', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (some) => {
      const numbers = some.toSorted((a, b) => a - b)
      const ranges = readRowRanges(writeRowRanges(numbers)) ?? []
      expect(ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n))).toEqual(
        numbers,
      )
    }),
  )
})

test.each(['', '0', '5-3', '3,3', '5,2', '2-4,4', '2,', '2-', '-2', 'x', '2 -3', '2147483648', '1e3', '2-3-4'])(
  '%j is not accepted',
  (text) => expect(readRowRanges(text)).toBeUndefined(),
)
