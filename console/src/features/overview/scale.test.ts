import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysBetween, gridOf } from './scale.ts'

test.each([
  [[2001, 2041], false, [2000, 2020, 2040, 2060]],
  [[0, 0], false, [0, 1]],
  [[7, 7], false, [7, 8]],
  [[3, 8], true, [0, 5, 10]],
  [[0, 100], true, [0, 50, 100]],
  [[1_000_000], true, [0, 500_000, 1_000_000]],
])('the grid lines of %j, from zero: %s, are %j', (values, fromZero, lines) => {
  expect(gridOf(values, { fromZero })).toEqual(lines)
})

test('at most four lines at whole numbers enclose all values', () => {
  const values = fc.array(fc.nat(2 ** 40), { minLength: 1, maxLength: 90 })
  fc.assert(
    fc.property(values, fc.boolean(), (given, fromZero) => {
      const lines = gridOf(given, { fromZero })
      expect(lines.length).toBeGreaterThanOrEqual(2)
      expect(lines.length).toBeLessThanOrEqual(4)
      expect(lines.every(Number.isInteger)).toBe(true)
      expect(lines[0]).toBeLessThanOrEqual(fromZero ? 0 : Math.min(...given))
      expect(lines.at(-1)).toBeGreaterThanOrEqual(Math.max(...given))
    }),
  )
})

test('days are counted across months and the change of clocks', () => {
  expect(daysBetween('2026-10-19', '2026-11-17')).toBe(29)
  expect(addDays('2026-11-17', -29)).toBe('2026-10-19')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
})
